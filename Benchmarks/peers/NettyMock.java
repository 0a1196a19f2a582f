// What a mock of APNs on Netty costs at least: reads each request to its end and answers 200 with an apns-id, without checks.
// Stands for Java mocks such as pushy's, which is built on Netty too. `java -cp JARS NettyMock.java` prints its port.
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.UUID;

class NettyMock {
    @Sharable
    static class Answer extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean isEnd = message instanceof Http2DataFrame && ((Http2DataFrame) message).isEndStream()
                || message instanceof Http2HeadersFrame && ((Http2HeadersFrame) message).isEndStream();
            ReferenceCountUtil.release(message);
            if (!isEnd) return;
            var headers = new DefaultHttp2Headers().status("200").add("apns-id", UUID.randomUUID().toString());
            context.write(new DefaultHttp2HeadersFrame(headers, true));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    public static void main(String[] arguments) throws Exception {
        var answer = new Answer();
        Channel listener = new ServerBootstrap()
            .group(new NioEventLoopGroup(1), new NioEventLoopGroup())
            .channel(NioServerSocketChannel.class)
            .childHandler(new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                    var settings = Http2Settings.defaultSettings().maxConcurrentStreams(1000);
                    channel.pipeline().addLast(
                        Http2FrameCodecBuilder.forServer().initialSettings(settings).build(), new Http2MultiplexHandler(answer));
                }
            })
            .bind("127.0.0.1", 0).sync().channel();
        System.out.println("listening on http://127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort());
    }
}

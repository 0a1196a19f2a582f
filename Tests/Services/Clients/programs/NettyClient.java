// One file, run by `java FILE`. The plan comes as lines with tabs between fields, because Java has no JSON of its own.
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class NettyClient {
    // RECIPE

    static final EventLoopGroup group = new NioEventLoopGroup(1);
    static final Map<Long, String> tokens = new HashMap<>();
    static Channel connection;

    /** A provider token as pushy issues it: `Signature` writes DER. */
    static String token(long age) throws Exception {
        if (tokens.containsKey(age)) return tokens.get(age);
        String pem = Files.readString(Path.of("AuthKey_ABC123DEFG.p8")).replaceAll("-----.*-----|\\s", "");
        var key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        var encoder = Base64.getUrlEncoder().withoutPadding();
        String header = "{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"ABC123DEFG\"}";
        String claims = "{\"iss\":\"DEF123GHIJ\",\"iat\":" + (System.currentTimeMillis() / 1000 - age) + "}";
        String signed = encoder.encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
            + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        tokens.put(age, signed + "." + encoder.encodeToString(signature.sign()));
        return tokens.get(age);
    }

    /** Takes the frames of an answer. */
    static class Answer extends SimpleChannelInboundHandler<Http2StreamFrame> {
        final CompletableFuture<String> future = new CompletableFuture<>();
        private String status = "null";
        private final StringBuilder body = new StringBuilder();

        @Override protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2HeadersFrame) {
                Http2HeadersFrame headers = (Http2HeadersFrame) frame;
                status = headers.headers().status().toString();
                if (headers.isEndStream()) end();
            } else if (frame instanceof Http2DataFrame) {
                Http2DataFrame data = (Http2DataFrame) frame;
                body.append(data.content().toString(StandardCharsets.UTF_8));
                if (data.isEndStream()) end();
            } else if (frame instanceof Http2ResetFrame) {
                future.completeExceptionally(new IOException("reset: " + ((Http2ResetFrame) frame).errorCode()));
            }
        }

        private void end() {
            String reason = body.length() == 0 ? "null" : body.toString().replaceAll(".*\"reason\":(\"[^\"]*\").*", "$1");
            future.complete("{\"status\":" + status + ",\"reason\":" + reason + "}");
        }

        @Override public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
            future.completeExceptionally(error);
            context.close();
        }

        @Override public void channelInactive(ChannelHandlerContext context) {
            future.completeExceptionally(new IOException("the stream is closed"));
        }
    }

    static CompletableFuture<String> send(String[] fields) {
        Answer answer = new Answer();
        try {
            Channel stream = open(answer);
            var headers = new DefaultHttp2Headers().method("POST").scheme("https").authority("127.0.0.1")
                .path("/3/device/" + fields[2]);
            headers.add("authorization", "bearer " + token(fields[6].equals("expired") ? 7200 : 0));
            if (!fields[3].isEmpty()) headers.add("apns-topic", fields[3]);
            if (!fields[5].isEmpty()) headers.add("apns-collapse-id", fields[5]);
            ByteBuf body = Unpooled.copiedBuffer("{\"aps\":{\"alert\":\"" + fields[4] + "\"}}", StandardCharsets.UTF_8);
            stream.write(new DefaultHttp2HeadersFrame(headers));
            stream.writeAndFlush(new DefaultHttp2DataFrame(body, true)).addListener(sent -> {
                if (!sent.isSuccess()) answer.future.completeExceptionally(sent.cause());
            });
        } catch (Exception error) {
            answer.future.completeExceptionally(error);
        }
        return answer.future.orTimeout(30, TimeUnit.SECONDS).exceptionally(NettyClient::failure);
    }

    /** A stream of the connection, or of a new one if it has ended or was told to go away. */
    static Channel open(Answer answer) throws Exception {
        if (connection != null && connection.isActive()) {
            var stream = new Http2StreamChannelBootstrap(connection).handler(answer).open().await();
            if (stream.isSuccess()) return stream.getNow();
        }
        connection = connect(group);
        return new Http2StreamChannelBootstrap(connection).handler(answer).open().sync().getNow();
    }

    static String failure(Throwable error) {
        return "{\"error\":\"" + error.toString().replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"}";
    }

    public static void main(String[] arguments) throws Exception {
        List<List<String[]>> cases = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0] + ".tsv"))) {
            String[] fields = line.split("\t", -1);
            if (cases.isEmpty() || !cases.get(cases.size() - 1).get(0)[0].equals(fields[0])) cases.add(new ArrayList<>());
            cases.get(cases.size() - 1).add(fields);
        }
        for (List<String[]> requests : cases) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (String[] fields : requests) {
                var answer = send(fields);
                if (fields[1].isEmpty()) answer.join();
                answers.add(answer);
            }
            List<String> texts = new ArrayList<>();
            for (var answer : answers) texts.add(answer.join());
            System.out.println("{\"name\":\"" + requests.get(0)[0] + "\",\"answers\":[" + String.join(",", texts) + "]}");
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}

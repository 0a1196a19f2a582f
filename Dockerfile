# pushpipe in a container: a push service for the tests of a sender, or any other command.
#
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" --tag pushpipe .
#   docker run --rm --publish 127.0.0.1:2197:2197 pushpipe
#   docker run --rm --interactive pushpipe lint - < payload.json
FROM swift:6.3-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# Versions are those of the image's Debian release.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends binutils git libjansson-dev libsqlite3-dev make pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
ARG COMMIT=""
RUN PUSHPIPE_COMMIT="$COMMIT" make install PREFIX=/usr DESTDIR=/stage

FROM debian:bookworm-slim
COPY --from=build /stage/usr /usr
RUN useradd --create-home --uid 10001 pushpipe
USER 10001
WORKDIR /home/pushpipe
EXPOSE 2197
# The gateway answers by itself; there is no curl in the image.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/2197 && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && grep -q '\"ok\"' <&3"]
ENTRYPOINT ["pushpipe"]
CMD ["serve", "--listen", "0.0.0.0:2197"]

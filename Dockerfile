# An image with srpatch and git, which guards such as --untrusted ask:
#   docker build -t srpatch .
#   docker run --rm -i -u "$(id -u):$(id -g)" -v "$PWD:/work" srpatch <reply.md
# What undo needs is gone with the container, unless /state is a volume.
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /out/srpatch ./cmd/srpatch && mkdir -m 1777 /out/state

FROM debian:trixie-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/ /
ENV XDG_STATE_HOME=/state
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/srpatch"]

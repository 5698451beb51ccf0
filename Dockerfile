# An image with srpatch and nothing else:
#   docker build -t srpatch .
#   docker run --rm -i -u "$(id -u):$(id -g)" -v "$PWD:/work" srpatch <reply.md
# What undo needs is gone with the container, unless /state is a volume. There is no git and no shell in it.
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /out/srpatch ./cmd/srpatch && mkdir -m 1777 /out/state

FROM scratch
COPY --from=build /out/ /
ENV XDG_STATE_HOME=/state
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/srpatch"]

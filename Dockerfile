# docker build -t pathpool .
#
# docs/deploy.md explains how to run it. The image listens on all addresses of the container, so a
# start is refused until there are credentials, or --open.

ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The files of the package, and no others.
RUN npm pack --silent && mkdir /package && tar -xzf pathpool-*.tgz -C /package --strip-components=1

# What the server needs at run time, without what only other systems use. In the project,
# uWebSockets.js is a development dependency too, so npm leaves it out here.
FROM node:${NODE_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY --from=build /build/node_modules/uWebSockets.js node_modules/uWebSockets.js
COPY deploy/trim-modules.mjs deploy/
RUN node deploy/trim-modules.mjs node_modules

FROM node:${NODE_VERSION}-slim
ENV NODE_ENV=production \
    PATHPOOL_HOST=0.0.0.0 \
    PATHPOOL_PORT=8080 \
    PATHPOOL_DATA=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /package .
RUN install -d -o 1000 -g 1000 /data
# The user "node" of the image; a number, so that Kubernetes can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=5m --retries=3 \
    CMD ["node", "/app/deploy/health-check.mjs"]
ENTRYPOINT ["node", "--v8-pool-size=1", "/app/dist/src/main.js"]

# One image for both programs; the embedded engine stays out of it, the archive is a ClickHouse server here.
FROM node:22-bookworm-slim AS dependencies
WORKDIR /srv/history
COPY package.json package-lock.json ./
# chDB is half a gigabyte and of no use beside a server; `--omit=optional` would take the binary that tsx needs too.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/chdb node_modules/@chdb

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /srv/history
COPY --from=dependencies /srv/history/node_modules ./node_modules
COPY package.json tsconfig.json LICENSE ./
COPY clickhouse ./clickhouse
COPY api ./api
COPY loader ./loader
# The service shows the guides at /docs.
COPY docs/guide ./docs/guide
RUN mkdir data && chown node:node data
USER node
EXPOSE 8080
# node itself, not npm: signals reach the process, so that stopping is graceful.
CMD ["node", "--max-old-space-size=192", "--heap-growing-percent=300", "--import", "tsx", "api/main.ts"]

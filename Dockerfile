# One image for all programs. Node 24 runs TypeScript as it is, so the image has no compiler.
FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /srv/history
COPY package.json package-lock.json ./
# Without the embedded engine, half a gigabyte that a program with a ClickHouse server does not use.
RUN npm uninstall --package-lock-only chdb ffi-rs && npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production
WORKDIR /srv/history
COPY --from=dependencies /srv/history/node_modules ./node_modules
COPY package.json LICENSE ./
COPY clickhouse ./clickhouse
COPY api ./api
COPY loader ./loader
# The service shows the guides at /docs.
COPY docs/guide ./docs/guide
USER node
EXPOSE 8080 9464
# Unlike npm, env is replaced by node: so signals reach the process, and it stops gracefully. With the variables, memory that
# the service has freed goes back to the system.
CMD ["env", "MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=1048576", "MALLOC_TRIM_THRESHOLD_=4194304", "node", "--max-old-space-size=192", "--heap-growing-percent=300", "api/main.ts"]

# Builds the product. The tools that do it are dependencies like any other: only what the tests need is left out.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN node cli/tools/build.mjs

# What runs: no sources, no root.
FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/cli/tools/start.sh ./cli/tools/start.sh
RUN install --directory --owner=node --group=node /data
USER node
VOLUME /data
EXPOSE 3000
# A start may migrate years of posts first: until it has answered once, an hour passes before it is called unhealthy.
HEALTHCHECK --interval=10s --timeout=5s --start-period=1h \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "cli/tools/start.sh"]

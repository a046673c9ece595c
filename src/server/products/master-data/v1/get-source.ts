import type { getSourceRoute } from '#generated/master-data/v1/routes.gen.ts';
import type { Source } from '#generated/master-data/v1/types.gen.ts';
import { type DataSource, dataSources } from '#domain/master-data/data-sources.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { Problem } from '#http/response/problem.ts';
import type { Deps } from './deps.ts';
import { createFreshnessHeaders } from './freshness-headers.ts';

const masterDataSources = new Map<string, DataSource>(Object.entries(dataSources));

/** GET /sources/{name}: title, licence and attribution of a source. */
export const getSource = async (c: OperationContext<typeof getSourceRoute>, deps: Deps) => {
  const name = c.req.valid('param').name.toLowerCase();
  const feed = deps.feedSources().find((one) => one.name === name);
  const source = feed ?? masterDataSources.get(name);
  if (!source) throw new Problem('not-found', `No source has the name ${name}.`);
  const { title, licence, attribution } = source;
  const body: Source = {
    name,
    title,
    licence,
    ...(attribution !== '' && { attribution: { text: attribution, ...(feed && { link: feed.link }) } }),
  };
  return sendRendered<Source>(
    c,
    Buffer.from(JSON.stringify(body)),
    createFreshnessHeaders(deps, { dependsOnDay: false }),
  );
};

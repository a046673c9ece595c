import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readDocuments } from '#cli/shared/published-files.ts';
import { createPublishedPages } from '#http/static/published-pages.ts';
import { serve } from '../tiny-service.ts';

const files = readDocuments();
const openapiFiles = files.filter(({ path }) => path.startsWith('/openapi/'));

const createFetch = (publicUrl?: string) => {
  const base = publicUrl?.replace(/\/+$/, '');
  const { app } = serve({ pages: [createPublishedPages({ catalog: [], files, changes: {}, publicUrl: base })] });
  return async (url: string, init?: RequestInit): Promise<Response> => app.request(url, init);
};

test.each([
  [undefined, 'http://api.test:9090', 'http://api.test:9090'],
  ['https://flights.example/api/', 'http://10.0.0.7', 'https://flights.example/api'],
])('with the public URL %s, documents requested at %s name the server %s', async (publicUrl, origin, url) => {
  const fetchPage = createFetch(publicUrl);
  for (const { path } of openapiFiles) {
    const text = await (await fetchPage(`${origin}${path}`)).text();
    expect([path, parse(text).servers]).toEqual([path, [{ url, description: 'This service.' }]]);
    expect(text).not.toContain('localhost:8080');
  }
});

test('every document is served as YAML and, with the same content, as JSON', async () => {
  const fetchPage = createFetch();
  expect(files.length).toBeGreaterThan(6);
  for (const { path } of files) {
    const json = await fetchPage(`http://one.test${path}`);
    const yaml = await fetchPage(`http://one.test${path.replace('.json', '.yaml')}`);
    expect([yaml, json].map(({ headers }) => [headers.get('content-type'), headers.get('cache-control')])).toEqual([
      ['application/yaml', 'public, no-cache'],
      ['application/json', 'public, no-cache'],
    ]);
    expect(await json.json()).toEqual(parse(await yaml.text()));
  }
});

test.each([
  [undefined, 'localhost:4222'],
  ['nats://hub.example', 'hub.example'],
  ['tls://user:secret@hub.example:4443', 'hub.example:4443'],
])('with the hub %s, AsyncAPI documents name the server %s', (hubUrl, host) => {
  const documents = readDocuments(hubUrl).filter(({ path }) => path.startsWith('/asyncapi/'));
  const texts = documents.map(({ bytes }) => Buffer.from(bytes).toString());
  const hub = {
    host,
    protocol: 'nats',
    description: expect.stringMatching(/^NATS with JetStream\./),
    security: [{ $ref: '#/components/securitySchemes/credentials' }],
  };
  expect(texts.map((text) => parse(text).servers.hub)).toEqual([hub]);
});

test('the entity tag of a document depends on the bytes served for its host', async () => {
  const fetchPage = createFetch();
  const path = '/openapi/flight-info/v2.yaml';
  const one = await fetchPage(`http://one.test${path}`, { headers: { 'accept-encoding': 'gzip' } });
  const two = await fetchPage(`http://two.test${path}`);
  const tag = one.headers.get('etag') ?? '';
  expect([one, two].map(({ headers }) => ['cache-control', 'vary'].map((name) => headers.get(name)))).toEqual([
    ['public, no-cache', 'Accept-Encoding, Host'],
    ['public, no-cache', 'Accept-Encoding, Host'],
  ]);
  expect(
    gunzipSync(await one.arrayBuffer())
      .toString()
      .replaceAll('one.test', 'two.test'),
  ).toBe(await two.text());
  const statuses = [];
  for (const host of ['one', 'two', 'one'])
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'accept-encoding': 'gzip', 'if-none-match': tag };
      statuses.push((await fetchPage(`http://${host}.test${path}`, { method, headers })).status);
    }
  expect(statuses).toEqual([304, 304, 200, 200, 304, 304]);
});

test('texts that readers of YAML 1.1 take for something else are quoted, and no text is wrapped', async () => {
  const shared = { day: '2026-06-01', isOpen: 'no', text: 'words '.repeat(40).trim() };
  const bytes = Buffer.from(JSON.stringify({ one: shared, two: shared }));
  const file = { path: '/openapi/x/v1.json', bytes, mediaType: 'application/json' };
  const { app } = serve({ pages: [createPublishedPages({ catalog: [], files: [file], changes: {} })] });
  const lines = ['  day: "2026-06-01"', '  isOpen: "no"', `  text: ${shared.text}`];
  expect(await (await app.request('http://x/openapi/x/v1.yaml')).text()).toBe(
    ['one:', ...lines, 'two:', ...lines, ''].join('\n'),
  );
});

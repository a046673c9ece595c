/** The Model Context Protocol. It is loaded by the first message: the SDK takes 0.1 s of processor time and 34 MB. */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { catalog } from '#generated/catalog.ts';
import { toUtcDate } from '../domain/time/dates.ts';
import { findCurrentVersion } from '../http/router/version-lifecycle.ts';
import type { StaticFile } from '../http/static/static-files.ts';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { serviceVersion } from '../service-version.ts';
import { renderPrompt, toPrompt } from './prompts.ts';
import { toFailedResult, toToolResult } from './tool-result.ts';
import { listTools, toToolRequest, type McpTool, type ToolRequest } from './tools.ts';

/** What is served: the published documents, guides and recipes, and whether tools may write. */
export type McpContent = {
  readonly files: readonly StaticFile[];
  readonly canWrite: boolean;
  readonly now: Date;
};

/** Sends a request of a tool to the service, with the key of the client. */
export type SendToolRequest = (request: ToolRequest, signal: AbortSignal) => Promise<Response>;

const INSTRUCTIONS = `Schedules, live status, connections, alerts and master data of flights. Dates and times are local at their airport.
A list returns a few objects, totalCount and next: call the tool again with next for more. Guides are resources, tasks of several calls are
prompts.`;

/** Prefixes of published paths that are resources. */
const RESOURCES = /^\/(?:openapi|asyncapi|recipes)\/.+\.json$|^\/docs\/.+\.md$/;
const SCHEME = 'flightdata://';

const textOf = ({ bytes }: StaticFile): string => Buffer.from(bytes).toString();

const readJson = (file: StaticFile): JsonObject => toJsonObject(JSON.parse(textOf(file)));

const findTitle = (file: StaticFile): string => {
  if (!file.path.endsWith('.md')) return String(toJsonObject(readJson(file)['info'])['title']);
  return /^# (.+)$/m.exec(textOf(file))?.[1] ?? file.path;
};

/** Returns the current version of each product for readers, with its document. */
const listCurrentDocuments = ({ files, now }: McpContent) =>
  catalog
    .filter(({ isIngest }) => isIngest !== true)
    .flatMap((product) => {
      const version = findCurrentVersion(product, toUtcDate(now))?.version;
      const file = files.find(({ path }) => path === `/openapi/${product.product}/${version}.json`);
      return version === undefined || !file ? [] : [{ version, document: readJson(file) }];
    });

const toDefinition = ({ name, title, description, inputSchema, isWrite, method }: McpTool) => ({
  name,
  title,
  description,
  inputSchema,
  annotations: { readOnlyHint: !isWrite, destructiveHint: method === 'delete', openWorldHint: false },
});

/** Returns what clients list and read, computed once from the published files. */
export const createMcpCatalog = (content: McpContent) => {
  const tools = listTools(listCurrentDocuments(content), content.canWrite);
  const recipes = content.files.filter(({ path }) => path.startsWith('/recipes/'));
  const resources = content.files.filter(({ path }) => RESOURCES.test(path));
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    definitions: tools.map(toDefinition),
    prompts: recipes.map((file) => toPrompt(file.path.slice('/recipes/'.length, -'.json'.length), readJson(file))),
    resources: new Map(resources.map((file) => [`${SCHEME}${file.path.slice(1)}`, file])),
    listed: resources.map((file) => ({
      uri: `${SCHEME}${file.path.slice(1)}`,
      name: file.path.slice(1),
      title: findTitle(file),
      mimeType: file.path.endsWith('.md') ? 'text/markdown' : 'application/json',
    })),
  };
};

export type McpCatalog = ReturnType<typeof createMcpCatalog>;

/** Creates the server of one client, or of one request. */
export const createMcpServer = (catalogOfServer: McpCatalog, send: SendToolRequest): Server => {
  const { tools, definitions, prompts, resources, listed } = catalogOfServer;
  const server = new Server(
    { name: 'flightdata', title: 'Flight data', version: serviceVersion },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: definitions }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${params.name.slice(0, 64)}`);
    try {
      return await toToolResult(await send(toToolRequest(tool, params.arguments ?? {}), signal));
    } catch (error) {
      if (error instanceof RangeError) return toFailedResult(error.message);
      throw error;
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: listed }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const file = resources.get(uri);
    if (!file) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource ${uri.slice(0, 200)}`);
    const mimeType = uri.endsWith('.md') ? 'text/markdown' : 'application/json';
    return { contents: [{ uri, mimeType, text: textOf(file) }] };
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ recipe: _, arguments: inputs, ...prompt }) => ({ ...prompt, arguments: [...inputs] })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt ${params.name.slice(0, 64)}`);
    const text = renderPrompt(prompt, params.arguments ?? {}, new Set(tools.keys()));
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  return server;
};

/** Handles one message over HTTP, without a session: the server of a message ends with its response. */
export const handleMessage = async (
  request: Request,
  {
    message,
    content,
    send,
  }: { readonly message: unknown; readonly content: McpCatalog; readonly send: SendToolRequest },
): Promise<Response> => {
  // Nothing that is served changes while a process runs, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => createMcpServer(content, send), { maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: message });
};

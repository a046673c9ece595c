import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser beside other work may take long to respond. */
const MAX_WAIT_MS = 100_000;

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The first Chromium on the PATH, or undefined. */
export const findBrowser = (): string | undefined =>
  names
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(isExecutable);

type Event = { readonly method: string; readonly params: Record<string, unknown> };

/** One tab of a headless browser, controlled over its debugging protocol. */
export type Tab = {
  readonly send: (method: string, params?: object) => Promise<Record<string, unknown>>;
  readonly events: readonly Event[];
  readonly close: () => Promise<void>;
};

/** Reads the address of the debugging protocol from the output of the browser. */
const readAddress = async (child: ChildProcess): Promise<string> => {
  let output = '';
  if (!child.stderr) throw new Error('the browser has no error output to read its address from');
  for await (const chunk of child.stderr) {
    output += String(chunk);
    const match = /DevTools listening on (ws:\/\/\S+)/.exec(output);
    if (match?.[1] !== undefined) return match[1];
  }
  throw new Error(`the browser did not start: ${output.slice(-500)}`);
};

const openSocket = async (address: string): Promise<WebSocket> => {
  const socket = new WebSocket(address);
  await once(socket, 'open', { signal: AbortSignal.timeout(MAX_WAIT_MS) });
  return socket;
};

/** Starts a browser with an empty profile and opens a tab. */
export const openTab = async (program: string): Promise<Tab> => {
  const profile = mkdtempSync(join(tmpdir(), 'flight-map-'));
  const child = spawn(
    program,
    [
      '--headless=new',
      // Containers may forbid the namespaces of the sandbox; the browser opens the test page only.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--hide-scrollbars',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const socket = await openSocket(await readAddress(child));
  const events: Event[] = [];
  const waiting = new Map<number, (response: Record<string, unknown>) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.id === undefined) events.push(message);
    else waiting.get(message.id)?.(message.error ? { failed: message.error } : message.result);
  });
  const sendTo =
    (sessionId: unknown): Tab['send'] =>
    (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, (reply) => {
          waiting.delete(id);
          if ('failed' in reply) reject(new Error(`${method}: ${JSON.stringify(reply['failed'])}`));
          else resolve(reply);
        });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      });
  const { targetId } = await sendTo(undefined)('Target.createTarget', { url: 'about:blank' });
  const attached = await sendTo(undefined)('Target.attachToTarget', { targetId, flatten: true });
  const send = sendTo(attached['sessionId']);
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await send(`${domain}.enable`);
  const close = async (): Promise<void> => {
    socket.close();
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { send, events, close };
};

/** Window size and colour scheme. */
export type Viewport = { readonly width: number; readonly height: number; readonly scheme: 'light' | 'dark' };

/** A page after it has loaded. */
export type LoadedPage = {
  readonly warnings: readonly string[];
  readonly requests: readonly string[];
  /** Evaluates an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>;
};

/** Loads a page and waits until it has loaded. */
export const loadPage = async (tab: Tab, url: string, { width, height, scheme }: Viewport): Promise<LoadedPage> => {
  const { send, events } = tab;
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  const first = events.length;
  await send('Page.navigate', { url });
  const deadline = AbortSignal.timeout(MAX_WAIT_MS);
  while (!events.slice(first).some(({ method }) => method === 'Page.loadEventFired')) {
    deadline.throwIfAborted();
    await send('Runtime.evaluate', { expression: 'new Promise((done) => setTimeout(done, 20))', awaitPromise: true });
  }
  // Requests that follow loading, such as for an icon, arrive within 250 ms.
  await send('Runtime.evaluate', { expression: 'new Promise((done) => setTimeout(done, 250))', awaitPromise: true });
  const seen = events.slice(first);
  const warningsOf = ({ method, params }: Event): string[] =>
    method === 'Log.entryAdded' || method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown'
      ? [JSON.stringify(params)]
      : [];
  return {
    warnings: seen.flatMap(warningsOf),
    requests: seen.flatMap(({ method, params }) => {
      const request = params['request'];
      if (method !== 'Network.requestWillBeSent' || typeof request !== 'object' || request === null) return [];
      return 'url' in request ? [String(request.url)] : [];
    }),
    evaluate: async (expression) => {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined;
    },
  };
};

import type { DeprecationWatch, OperationName } from './deprecation.ts';
import { FlightDataConnectionError, NotModified, problemOf, type FlightDataProblem } from './problem.ts';
import { backoffMs, isRepeatable, isWorthRepeating } from './retry.ts';
import { onAbort } from './on-abort.ts';
import type { Timing } from './timing.ts';

/** What of an answer is shown beside its body. */
export type AnswerHead = { readonly status: number; readonly headers: Headers };

/** A request, as it can be sent any number of times. */
export type Question = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
};

export type Sending = {
  readonly name: OperationName;
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, milliseconds; by default that of the client. */
  readonly timeoutMs?: number | undefined;
  /** How often to send it again; by default as the client does. */
  readonly retries?: number | undefined;
  readonly onAnswer?: ((answer: AnswerHead) => void) | undefined;
};

/** What is needed of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportSettings = {
  readonly fetch: Fetch;
  readonly retries: number;
  readonly longestWaitMs: number;
  readonly timeoutMs: number;
  readonly timing: Timing;
  readonly watch: DeprecationWatch;
};

/** Sends requests and sees to what can happen to them. */
export type Transport = {
  /** The text of a 2xx answer. Rejects with a FlightDataProblem, a FlightDataConnectionError, NotModified, or the reason of the signal. */
  readonly send: (question: Question, sending: Sending) => Promise<string>;
  /** A 2xx answer whose body is still to come; sent once. */
  readonly open: (question: Question, sending: Sending) => Promise<Response>;
  readonly timing: Timing;
  /** For one attempt, milliseconds. */
  readonly timeoutMs: number;
};

const never = new AbortController().signal;

/** Where a request went, without its query. */
const placeOf = ({ method, url }: Question): string => `${method} ${new URL(url).pathname}`;

export const newTransport = (settings: TransportSettings): Transport => {
  const { timing, watch } = settings;

  const attempt = async <T>(
    question: Question,
    { signal = never, timeoutMs = settings.timeoutMs }: Sending,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    const [cut, over] = [new AbortController(), new AbortController()];
    let isLate = false;
    const release = onAbort(signal, () => cut.abort(signal.reason));
    const late = (): void => {
      isLate = true;
      cut.abort();
    };
    void timing.wait(timeoutMs, over.signal).then(late, () => undefined);
    try {
      const { url, ...init } = question;
      // A redirect would take the key to wherever it leads.
      return await read(await settings.fetch(url, { ...init, redirect: 'manual', signal: cut.signal }));
    } catch (cause) {
      signal.throwIfAborted();
      throw new FlightDataConnectionError(isLate ? 'timeout' : 'connection', placeOf(question), { cause });
    } finally {
      over.abort();
      release();
    }
  };

  const refusal = (response: Response, text: string): FlightDataProblem | NotModified =>
    response.status === 304 ? new NotModified('what you have is still right') : problemOf(response, text, timing.now());

  const tell = ({ url }: Question, { status, headers }: Response, { name, onAnswer }: Sending): void => {
    watch({ url, headers }, name);
    onAnswer?.({ status, headers });
  };

  /** A 2xx answer, with its text unless that is still to come. A refusal is read to its end, within the time of the attempt. */
  const ask = async (
    question: Question,
    sending: Sending,
    isOpen: boolean,
  ): Promise<{ readonly response: Response; readonly text: string }> => {
    const answer = await attempt(question, sending, async (response) => ({
      response,
      text: isOpen && response.ok ? '' : await response.text(),
    }));
    tell(question, answer.response, sending);
    if (!answer.response.ok) throw refusal(answer.response, answer.text);
    return answer;
  };

  const sendOnce = async (question: Question, sending: Sending): Promise<string> => {
    const { response, text } = await ask(question, sending, false);
    if (!/^application\/json\b/.test(response.headers.get('content-type') ?? ''))
      throw new FlightDataConnectionError('unreadable', placeOf(question));
    return text;
  };

  const send = async (question: Question, sending: Sending): Promise<string> => {
    const { signal = never, retries = settings.retries } = sending;
    const canRepeat = isRepeatable(question.method, question.headers);
    for (let failures = 0; ; failures += 1) {
      try {
        return await sendOnce(question, sending);
      } catch (error) {
        if (failures >= retries || !isWorthRepeating(error, canRepeat)) throw error;
        const asked = error instanceof Error && 'retryAfterMs' in error ? error.retryAfterMs : undefined;
        const waitMs = typeof asked === 'number' ? asked : backoffMs(failures, timing.random());
        if (waitMs > settings.longestWaitMs) throw error;
        await timing.wait(waitMs, signal);
      }
    }
  };

  const open = async (question: Question, sending: Sending): Promise<Response> =>
    (await ask(question, sending, true)).response;

  return { send, open, timing, timeoutMs: settings.timeoutMs };
};

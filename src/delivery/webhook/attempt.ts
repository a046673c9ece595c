import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { answerText, KEPT_BYTES } from './response-text.ts';
import { CutOffError, failureReason } from './failure-reason.ts';
import { outcomeOf, type Answered, type FailureReason, type Outcome } from './outcome.ts';

/** Milliseconds from the beginning of an attempt until it is cut off. */
export type Timeouts = {
  /** Name looked up, connected, and secured. */
  readonly connectMs: number;
  /** From the connection to the status of the answer. */
  readonly answerMs: number;
  /** All of it, to the end of the answer. */
  readonly totalMs: number;
};

/**
 * Bytes of the body of an answer after which no more is read. A secure connection is read by up to 16 KiB, so that never
 * more than 64 KiB are.
 */
export const ENOUGH_ANSWER_BYTES = 48 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** 103 Early Hints and the like, each of which may have as many headers as an answer. */
const MAX_PRELIMINARY_ANSWERS = 5;

export type Attempt = {
  readonly options: RequestOptions;
  readonly isSecure: boolean;
  readonly body: string;
  /** Values that the text of the answer must not repeat. */
  readonly secrets: readonly string[];
  readonly timeouts: Timeouts;
  readonly now: () => Date;
};

type Ended = {
  readonly outcome: Outcome;
  /** Whether the connection had been used before and was gone when it was used again: that says nothing of the receiver. */
  readonly wasStale: boolean;
};

/** Calls back when a request has a connection that it can be written to: at once for one that is used again. */
const onceConnected = (request: ClientRequest, isSecure: boolean, told: (isReady: boolean) => void): void => {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return told(true);
    if (isSecure) socket.once('connect', () => told(false)).once('secureConnect', () => told(true));
    else socket.once('connect', () => told(true));
  });
};

/** Sends one request and reads as much of its answer as counts. Never rejects: whatever happens is an outcome. */
export const attempt = ({ options, isSecure, body, secrets, timeouts, now }: Attempt): Promise<Ended> =>
  new Promise((resolve) => {
    const startedMs = performance.now();
    const pieces: Buffer[] = [];
    let answerBytes = 0;
    let answered: Answered | undefined;
    let isEncoded = false;
    let isWhole = false;
    let isHandshaking = false;

    const request = (isSecure ? https : http).request({ ...options, maxHeaderSize: MAX_HEADER_BYTES });
    const cutOff = (reason: FailureReason) => () => request.destroy(new CutOffError(reason));
    let patience = setTimeout(cutOff('connect-timeout'), timeouts.connectMs);
    const end = setTimeout(cutOff('total-timeout'), timeouts.totalMs);

    const finish = (error?: Error): void => {
      clearTimeout(patience);
      clearTimeout(end);
      const answer = isEncoded ? '' : answerText(Buffer.concat(pieces), { secrets, isWhole });
      const attempt = { durationMs: Math.round(performance.now() - startedMs), answerBytes, answer };
      // Once there is a status, what becomes of the rest of the answer does not matter.
      if (answered) return resolve({ outcome: outcomeOf(answered, attempt), wasStale: false });
      // It closed without a word.
      const reason = error ? failureReason(error, isHandshaking) : 'connection-reset';
      const wasStale = request.reusedSocket && reason === 'connection-reset';
      resolve({ outcome: { ...attempt, kind: 'failed', reason, status: undefined }, wasStale });
    };

    onceConnected(request, isSecure, (isReady) => {
      isHandshaking = !isReady;
      if (!isReady) return;
      clearTimeout(patience);
      patience = setTimeout(cutOff('answer-timeout'), timeouts.answerMs);
    });

    let preliminary = 0;
    request.on('information', () => {
      preliminary += 1;
      if (preliminary > MAX_PRELIMINARY_ANSWERS) cutOff('answer-not-http')();
    });
    request.on('response', (response: IncomingMessage) => {
      clearTimeout(patience);
      answered = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], at: now() };
      isEncoded = (response.headers['content-encoding'] ?? 'identity') !== 'identity';
      response.on('data', (piece: Buffer) => {
        if (answerBytes < KEPT_BYTES) pieces.push(piece);
        answerBytes += piece.length;
        if (answerBytes >= ENOUGH_ANSWER_BYTES) request.destroy();
      });
      response.on('end', () => {
        isWhole = true;
      });
      // Destroyed by us or by the receiver, it still closes.
      response.on('error', () => {});
    });
    request.on('error', finish);
    request.on('close', () => finish());
    request.end(body);
  });

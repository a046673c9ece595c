import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { toResponseText, MAX_TEXT_BYTES } from './response-text.ts';
import { AttemptAbortedError, toFailureReason } from './failure-reason.ts';
import { toDeliveryResult, type ReceivedStatus, type FailureReason, type DeliveryResult } from './delivery-result.ts';

/** Time-outs of an attempt, milliseconds. */
export type DeliveryTimeouts = {
  /** Until the connection is ready: DNS lookup, TCP and TLS. */
  readonly connectMs: number;
  /** From the connection to the status line of the response. */
  readonly responseMs: number;
  /** Until the totalTimer of the response, in total. */
  readonly totalMs: number;
};

/** Bytes of a response body after which the connection is closed. A TLS connection is read in records of up to 16 KiB, so at most 64 KiB are read. */
export const MAX_RESPONSE_BYTES = 48 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** For 103 Early Hints and the like, each of which may have as many headers as a response. */
const MAX_INFORMATIONAL_RESPONSES = 5;

export type AttemptOptions = {
  readonly options: RequestOptions;
  readonly isSecure: boolean;
  readonly body: string;
  /** Values that the stored response text must not contain. */
  readonly secrets: readonly string[];
  readonly timeouts: DeliveryTimeouts;
  readonly now: () => Date;
};

type AttemptResult = {
  readonly result: DeliveryResult;
  /** Whether a kept-alive connection turned out to be closed, which says nothing about the receiver. */
  readonly wasStale: boolean;
};

/** Calls `onChange` with true when the request can be written to its connection, and with false when the TLS handshake starts. */
const watchConnection = (request: ClientRequest, isSecure: boolean, onChange: (isReady: boolean) => void): void => {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return onChange(true);
    if (isSecure) socket.once('connect', () => onChange(false)).once('secureConnect', () => onChange(true));
    else socket.once('connect', () => onChange(true));
  });
};

/** Sends one request and reads the relevant part of its response. Never rejects: every failure is a result. */
export const sendAttempt = ({
  options,
  isSecure,
  body,
  secrets,
  timeouts,
  now,
}: AttemptOptions): Promise<AttemptResult> =>
  new Promise((resolve) => {
    const startedMs = performance.now();
    const chunks: Buffer[] = [];
    let responseBytes = 0;
    let received: ReceivedStatus | undefined;
    let isEncoded = false;
    let isComplete = false;
    let isHandshaking = false;

    const request = (isSecure ? https : http).request({ ...options, maxHeaderSize: MAX_HEADER_BYTES });
    const abort = (reason: FailureReason) => () => request.destroy(new AttemptAbortedError(reason));
    let phaseTimer = setTimeout(abort('connect-timeout'), timeouts.connectMs);
    const totalTimer = setTimeout(abort('total-timeout'), timeouts.totalMs);

    const finish = (error?: Error): void => {
      clearTimeout(phaseTimer);
      clearTimeout(totalTimer);
      const responseText = isEncoded ? '' : toResponseText(Buffer.concat(chunks), { secrets, isComplete });
      const attempt = { durationMs: Math.round(performance.now() - startedMs), responseBytes, responseText };
      // The status decides; failures in the rest of the response are irrelevant.
      if (received) return resolve({ result: toDeliveryResult(received, attempt), wasStale: false });
      // Closed without a response.
      const reason = error ? toFailureReason(error, isHandshaking) : 'connection-reset';
      const wasStale = request.reusedSocket && reason === 'connection-reset';
      resolve({ result: { ...attempt, kind: 'failed', reason, status: undefined }, wasStale });
    };

    watchConnection(request, isSecure, (isReady) => {
      isHandshaking = !isReady;
      if (!isReady) return;
      clearTimeout(phaseTimer);
      phaseTimer = setTimeout(abort('answer-timeout'), timeouts.responseMs);
    });

    let informational = 0;
    request.on('information', () => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL_RESPONSES) abort('answer-not-http')();
    });
    request.on('response', (response: IncomingMessage) => {
      clearTimeout(phaseTimer);
      received = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], at: now() };
      isEncoded = (response.headers['content-encoding'] ?? 'identity') !== 'identity';
      response.on('data', (chunk: Buffer) => {
        if (responseBytes < MAX_TEXT_BYTES) chunks.push(chunk);
        responseBytes += chunk.length;
        if (responseBytes >= MAX_RESPONSE_BYTES) request.destroy();
      });
      response.on('end', () => {
        isComplete = true;
      });
      // A destroyed response still emits 'close'.
      response.on('error', () => {});
    });
    request.on('error', finish);
    request.on('close', () => finish());
    request.end(body);
  });

/** Webhook receivers of the push benchmark: loopback servers that report each event with its arrival time. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Flight number, gate, and arrival in milliseconds since 1970. */
export type ReceivedPost = readonly (readonly [flight: number, gate: number, at: number])[];

const TOLD_EVERY_MS = 200;

/** The number of receivers, and the share of requests that they reject, percent. */
const [count = '1', failing = '0'] = process.argv.slice(2);
let requests = 0;
let came: (readonly [number, number, number])[] = [];
const ports: number[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const at = Date.now();
      requests += 1;
      const isRejected = (requests * Number(failing)) % 100 < Number(failing);
      response.writeHead(isRejected ? 500 : 200).end();
      if (isRejected) return;
      const body = Buffer.concat(pieces).toString();
      const [, flight] = /"flightNumber":"?(\d+)/.exec(body) ?? [];
      const [, gate] = /"gate":"G(\d+)"/.exec(body) ?? [];
      came.push([Number(flight), Number(gate), at]);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.push((server.address() as AddressInfo).port);
}
process.on('disconnect', () => process.exit());
setInterval(() => {
  if (came.length > 0) process.send?.({ came, cpu: process.cpuUsage() });
  came = [];
}, TOLD_EVERY_MS);
process.send?.(ports);

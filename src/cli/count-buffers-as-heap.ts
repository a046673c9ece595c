import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 weigh buffers together with the heap. By default every 64 MB of buffers, dead ones too, bring a full collection
 * of the heap; pages are buffers of 100 kB and more, so a busy server collected its master data seven times a second.
 * Measured on pages of 100: 1.4 to 1.6 times the requests. Call it before the work begins.
 */
export const countBuffersAsHeap = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit');

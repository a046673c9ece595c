import { readAvinor } from '#feeds/live/avinor.ts';
import { readHkia } from '#feeds/live/hkia.ts';
import type { LiveReader } from '#feeds/live/live-row.ts';
import { readSwedavia } from '#feeds/live/swedavia.ts';
import type { LiveSource } from './live-registry.ts';

const readers: Readonly<Record<LiveSource['reader'], LiveReader>> = {
  avinor: readAvinor,
  hkia: readHkia,
  swedavia: readSwedavia,
};

/** Returns the reader of a source. It is apart from the registry, which every command reads with the configuration. */
export const getLiveReader = ({ reader }: LiveSource): LiveReader => readers[reader];

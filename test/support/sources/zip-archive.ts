import { crc32, deflateRawSync } from 'node:zlib';

type ZipContent = {
  readonly name: string;
  readonly bytes: Buffer;
  /** The size that the archive announces, if it is another one. */
  readonly announcedSize?: number;
  /** The checksum that the archive announces, if it is another one. */
  readonly announcedCrc?: number;
};

const headerFields = (
  { bytes, announcedSize = bytes.length, announcedCrc = crc32(bytes) }: ZipContent,
  packed: Buffer,
) => {
  const fields = Buffer.alloc(22);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(announcedCrc, 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(announcedSize, 18);
  return fields;
};

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** Builds a ZIP archive of deflated files. */
export const buildZip = (contents: readonly ZipContent[]): Buffer => {
  const [local, central]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const content of contents) {
    const name = Buffer.from(content.name);
    const packed = deflateRawSync(content.bytes);
    const fields = headerFields(content, packed);
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, uint16(name.length), uint16(0), name, packed]);
    local.push(file);
    const rest = [uint16(name.length), Buffer.alloc(12), uint32(offset), name];
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), uint16(20), fields, ...rest]));
    offset += file.length;
  }
  const directory = Buffer.concat(central);
  const counts = [uint16(0), uint16(0), uint16(contents.length), uint16(contents.length)];
  const end = [Buffer.from('PK\u0005\u0006'), ...counts, uint32(directory.length), uint32(offset), uint16(0)];
  return Buffer.concat([...local, directory, ...end]);
};

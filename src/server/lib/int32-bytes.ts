const INT32_BYTES = 4;

/** Encodes whole numbers as 32 bits each, as a position in a cursor. */
export const encodeInt32s = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * INT32_BYTES);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, index * INT32_BYTES);
  return bytes;
};

/** Decodes what `encodeInt32s` wrote. */
export const decodeInt32s = (bytes: Buffer): readonly number[] =>
  Array.from({ length: bytes.length / INT32_BYTES }, (_, index) => bytes.readInt32BE(index * INT32_BYTES));

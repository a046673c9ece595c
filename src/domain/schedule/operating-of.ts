/** Of a flight under its designators the operating one; the first where none of them is. */
export const operatingOf = <Instance extends { readonly isMarketing: boolean }>(
  instances: readonly Instance[],
): Instance | undefined => instances.find(({ isMarketing }) => !isMarketing) ?? instances[0];

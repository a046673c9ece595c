/** The package has no types; these are of the two functions that are used. */
declare module '@usebruno/converters' {
  export const openApiToBruno: (document: unknown, options?: { readonly groupBy?: 'tags' | 'path' }) => unknown;
  export const brunoToPostman: (collection: unknown) => unknown;
}

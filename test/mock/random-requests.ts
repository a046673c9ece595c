/** Number of random requests per operation: 15, or MOCK_REQUESTS. MOCK_SEED changes them. */
export const randomRequestOptions = {
  numRuns: Number(process.env['MOCK_REQUESTS'] ?? 15),
  seed: Number(process.env['MOCK_SEED'] ?? 20_260_601),
} as const;

/**
 * Reads many addresses, one after the other: a page that waits too long for its turn is given up, as while the database
 * is away, and who asks for all of them at once on a busy machine is told so.
 */
export async function readEach<T>(
  addresses: readonly string[],
  read: (address: string) => Promise<T>,
): Promise<Readonly<Record<string, T>>> {
  const found: Record<string, T> = {};
  for (const address of addresses) found[address] = await read(address);
  return found;
}

/** Pages that live hold a lock of this name for their editor; browsers let it go when the page dies, however it does. */
function toLockName(copyKey: string): string {
  return `editor-of:${copyKey}`;
}

/** Browsers give locks only to pages over TLS or of this machine. */
function findLocks(): LockManager | undefined {
  return (navigator as { readonly locks?: LockManager }).locks;
}

/** Shows other tabs that the editor with this local copy lives. Returns what ends that. */
export function holdEditorLock(copyKey: string): () => void {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  void findLocks()?.request(toLockName(copyKey), () => held);
  return letGo;
}

/** The keys of the local copies whose editors live, in this tab or another: their texts are in use, not left behind. */
export async function findLivingCopies(): Promise<(key: string) => boolean> {
  const { held = [] } = (await findLocks()?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  return (key) => names.has(toLockName(key));
}

import type { ClusterView, PeerAddress } from '../../../src/http/forwarding/cluster-view.ts';

/** A cluster whose state a test sets. */
export class FakeCluster implements ClusterView {
  holdsLease = false;
  isConnected = true;
  members: readonly PeerAddress[] = [];
  #holder: PeerAddress | undefined;
  readonly #waiting = new Set<() => void>();
  /** Called when somebody waits for a change. */
  onWait = () => {};

  get holder(): PeerAddress | undefined {
    return this.#holder;
  }

  set holder(holder: PeerAddress | undefined) {
    this.#holder = holder;
    this.#wake();
  }

  takeOver(): void {
    this.holdsLease = true;
    this.#wake();
  }

  change(limitMs: number): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.onWait();
    return changed;
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const end of waiting) end();
  }
}

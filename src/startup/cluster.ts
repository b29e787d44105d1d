/** This process in its cluster: loaded only with `--journal`. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { KvEntries } from '../cluster/membership/kv-entries.ts';
import { Membership } from '../cluster/membership/own-membership.ts';
import { sharedSecret } from '../cluster/membership/secret.ts';
import { openBuckets } from '../cluster/nats/buckets.ts';
import { connectNats } from '../cluster/nats/connection.ts';
import { openSharedContent } from '../cluster/objects/open-content.ts';
import type { ClusterSettings } from '../cluster/settings.ts';
import type { Config } from '../config.ts';
import type { ClusterView, PeerAddress } from '../http/forwarding/cluster-view.ts';
import { Forwarder } from '../http/forwarding/forwarder.ts';
import { PeerClient } from '../http/forwarding/peer-client.ts';
import { TasksElsewhere } from '../http/forwarding/tasks-elsewhere.ts';
import type { CommitSource } from '../http/middleware/commit-tokens.ts';
import type { Peers } from '../http/middleware/peers.ts';
import type { HttpServerOptions } from '../http/server/http-options.ts';
import type { Router } from '../http/server/router.ts';
import type { Log } from '../log.ts';
import type { ClusterReadings } from '../metrics/readings.ts';
import type { ContentGarbageCollector } from '../services/content/garbage-collector.ts';
import type { ClusterState } from '../services/health/server-health.ts';
import type { ContentFiles } from '../store/content/storage.ts';
import type { ContentStore } from '../store/content/store-interface.ts';
import type { StoreClient } from '../store/main/client.ts';
import { addressWarning } from './cluster-settings.ts';
import type { OwnWrites } from './own-writes.ts';

const HOUR_MS = 3_600_000;

export interface ClusterOptions {
  readonly settings: ClusterSettings;
  /** Address of this process for the others. */
  readonly url: string;
  /** Whether clients are redirected to the process that holds the lease. */
  readonly redirects: boolean;
  /** Trusts the other processes from then on. */
  readonly peers: Peers;
  readonly log: Log;
}

/**
 * After it has released the lease, a process still tells others so for this long: until they know,
 * their requests would meet the end of a connection.
 */
const FAREWELL_MS = 250;

const ADVICE =
  'Each process needs a --cluster-url that all others reach. With https its certificate has to name that host, and the authority has to be in the file of NODE_EXTRA_CA_CERTS, unless Node.js knows it.';

type Handle = HttpServerOptions['handle'];
type Connection = Awaited<ReturnType<typeof connectNats>>;
type Store = Pick<StoreClient, 'snapshot' | 'writeError' | 'setWriter' | 'commit'> & CommitSource;

/** What only the process with the lease does besides requests. */
interface WriterWork {
  readonly garbageCollector: Pick<ContentGarbageCollector, 'start' | 'stop'>;
  readonly ownWrites: Pick<OwnWrites, 'takeOver'>;
}

export class Cluster implements ClusterView, ClusterReadings, ClusterState {
  readonly tasks: TasksElsewhere;
  readonly #options: ClusterOptions;
  readonly #connection: Connection;
  readonly #live: KvEntries;
  readonly #client: PeerClient;
  #membership: Membership | undefined;
  #store: Store | undefined;
  #forwarder: Forwarder | undefined;
  #isLeaving = false;
  #left: Promise<void> | undefined;

  /** Connects to the log servers, and reads the secret. Error `unavailable`, with what to do. */
  static async open(options: ClusterOptions): Promise<Cluster> {
    const { settings, peers } = options;
    const connection = await connectNats(settings, 'members');
    try {
      const { live, state } = await openBuckets(connection, settings);
      peers.trust(await sharedSecret(new KvEntries(state)));
      return new Cluster(options, connection, new KvEntries(live));
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  private constructor(options: ClusterOptions, connection: Connection, live: KvEntries) {
    this.#options = options;
    this.#connection = connection;
    this.#live = live;
    this.#client = new PeerClient((process) => this.#isGone(process));
    this.tasks = new TasksElsewhere(this, this.#client, options.peers, options.settings.process);
  }

  get process(): string {
    return this.#options.settings.process;
  }

  get holdsLease(): boolean {
    return this.#membership?.holdsLease ?? false;
  }

  get holder(): PeerAddress | undefined {
    return this.#membership?.holder;
  }

  get members(): readonly PeerAddress[] {
    return this.#membership?.members ?? [];
  }

  get isConnected(): boolean {
    return this.#membership?.isConnected ?? false;
  }

  get lag(): number {
    return this.#membership?.lag ?? 0;
  }

  get isBehind(): boolean {
    return this.#membership?.isBehind ?? false;
  }

  get forwarded(): ClusterReadings['forwarded'] {
    return this.#forwarder?.counts ?? { passed: 0, redirected: 0, unavailable: 0, unknown: 0 };
  }

  change(limitMs: number): Promise<void> {
    return this.#membership?.change(limitMs) ?? Promise.resolve();
  }

  /** Opens the content of the cluster, of which `local` is the cache of this process. */
  openContent(
    local: ContentFiles,
    { contentCache, contentGrace }: Pick<Config, 'contentCache' | 'contentGrace'>,
  ): Promise<ContentStore> {
    return openSharedContent(local, this.#options.settings, {
      cacheMax: contentCache,
      graceMs: contentGrace * HOUR_MS,
      mayRemove: () => this.holdsLease,
      catchUp: () => this.#catchUp(),
    });
  }

  /** Becomes a member with these data. Resolves when it is known who holds the lease. */
  async join(store: Store, { garbageCollector, ownWrites }: WriterWork): Promise<void> {
    const { settings, url, log } = this.#options;
    this.#store = store;
    let hasJoined = false;
    this.#membership = new Membership({
      entries: this.#live,
      own: { process: settings.process, url, host: hostname() },
      commit: () => store.snapshot.sequence,
      isFit: () => !this.#isLeaving && store.writeError === undefined,
      catchUp: () => {
        store.setWriter(true);
        return this.#catchUp();
      },
      onVainAttempt: () => store.setWriter(false),
      onLease: (isHeld) => {
        store.setWriter(isHeld);
        const event = isHeld ? 'lease-taken' : 'lease-ended';
        log.info(
          { event, process: settings.process },
          `This process ${isHeld ? 'has' : 'has lost'} the lease.`,
        );
        if (!isHeld) return garbageCollector.stop();
        garbageCollector.start();
        // At the start these writes are a part of it.
        if (hasJoined) void ownWrites.takeOver();
      },
      onNamesake: (namesake) => {
        const { process } = settings;
        log.warn(
          { event: 'same-name', process, url: namesake.url },
          `The process at ${namesake.url} has the name ${process}, too: each one needs a --process of its own.`,
        );
      },
      onElsewhere: (member) => {
        const warning = addressWarning(url, member);
        if (warning !== undefined) log.warn({ event: 'loopback-address', url }, warning);
      },
    });
    await this.#membership.join();
    hasJoined = true;
  }

  /** Returns a handler that has requests that write executed by the process with the lease. */
  forwarding(handle: Handle, router: Pick<Router, 'routeOf'>, commits: CommitSource): Handle {
    const { peers, redirects } = this.#options;
    const routeOf = (path: string) => router.routeOf(path);
    const onUnreachable = (holder: PeerAddress, reason: string) => this.#warnOf(holder, reason);
    const parts = { cluster: this, client: this.#client, peers, commits, redirects, routeOf, onUnreachable };
    const forwarder = new Forwarder(parts, handle);
    this.#forwarder = forwarder;
    return (request) => forwarder.handle(request);
  }

  /**
   * Gives the lease up when no write runs any more, but at the latest after this time: reads that
   * still run are no reason for writes at the other processes to wait. Takes no lease from then on.
   */
  async handOver(limitMs: number): Promise<void> {
    if (this.holdsLease) await this.#forwarder?.writesEnded(limitMs);
    this.#isLeaving = true;
    if (!this.holdsLease) return;
    // Without the log servers it expires.
    await this.#membership?.release().catch(() => {});
    if (this.members.length > 1) await sleep(FAREWELL_MS);
  }

  /** Ends the membership, and gives the lease up. */
  leave(): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  /** Also after a start that failed, when it has perhaps joined. */
  async disconnect(): Promise<void> {
    await this.leave();
    await this.#connection.close();
  }

  /** A transaction without operations succeeds when this process has the newest commit. */
  async #catchUp(): Promise<boolean> {
    const committed = await this.#store?.commit({ preconditions: [], operations: [] });
    return committed?.ok ?? false;
  }

  async #leave(): Promise<void> {
    this.#isLeaving = true;
    const mayBeAsked = this.holdsLease && this.members.length > 1;
    await this.#membership?.leave();
    this.#client.close();
    if (mayBeAsked) await sleep(FAREWELL_MS);
  }

  #warnOf({ process, url }: PeerAddress, reason: string): void {
    this.#options.log.warn(
      { event: 'process-unreachable', process, url, reason },
      `Requests that write can't be forwarded to the process ${process} at ${url} (${reason}). ${ADVICE}`,
    );
  }

  #isGone(process: string): boolean {
    return this.isConnected && !this.members.some((member) => member.process === process);
  }
}

import { v4 as uuid } from 'uuid';

/** One task as `/tasks` shows it (http-api 6.2). Times are milliseconds since 1970. */
export interface TaskMap {
  readonly id: string;
  /** Unique within its group. */
  readonly name: string;
  readonly group: string;
  readonly state: 'queued' | 'running';
  /** `worker-1` … ; null while queued. */
  readonly thread: string | null;
  readonly message: string | null;
  readonly progress: number;
  /** 0 if unknown. */
  readonly totalSteps: number;
  /** When it began to run; when it was handed in while it is queued. */
  readonly started: number;
  readonly lastUpdate: number;
  readonly eta: number | null;
  readonly detailMessages: Readonly<Record<string, string>>;
}

/** What makes a task one and the same while it passes through several hands. */
export interface TaskIdentity {
  readonly id: string;
  readonly sequence: number;
}

let lastSequence = 0;

export function nextSequence(): number {
  return ++lastSequence;
}

export function newIdentity(): TaskIdentity {
  return { id: uuid(), sequence: nextSequence() };
}

/** How the caller of the pool wants a job to be listed. */
export interface TaskInfo {
  /** Given when the task outlives the job; else the pool makes one. */
  readonly identity?: TaskIdentity;
  readonly group: string;
  /** What is done, such as `RDF import`; a number is added to it to make the name. */
  readonly label: string;
  readonly detail: Readonly<Record<string, string>>;
}

const formatNames: Readonly<Record<string, string>> = {
  'application/ld+json': 'JSON-LD',
  'application/n-quads': 'N-Quads',
  'application/n-triples': 'N-Triples',
  'application/rdf+xml': 'RDF/XML',
  'application/trig': 'TriG',
  'text/n3': 'N3',
  'text/turtle': 'Turtle',
};

/** Such as `RDF import 17 (Turtle)`. */
export function taskName(info: TaskInfo, sequence: number): string {
  const format = formatNames[info.detail['format'] ?? ''];
  return `${info.label} ${sequence}${format === undefined ? '' : ` (${format})`}`;
}

/** When the task will end if it goes on as it began (http-api 6.2). */
export function expectedEnd(started: number, now: number, progress: number, total: number): number | null {
  if (progress <= 0 || total <= 0) return null;
  return Math.round(started + ((now - started) * total) / progress);
}

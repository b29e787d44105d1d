import type { ComponentType } from 'preact';

/** A page of the console; its code is fetched when it is first opened. */
interface PageDefinition {
  /** The last segment of its address. */
  readonly name: string;
  readonly title: string;
  /** Whether the navigation lists it. */
  readonly listed: boolean;
  readonly load: () => Promise<ComponentType>;
}

export const pages: readonly PageDefinition[] = [
  {
    name: 'playground',
    title: 'Playground',
    listed: true,
    load: async () => (await import('../pages/playground/page.tsx')).PlaygroundPage,
  },
  {
    name: 'browse',
    title: 'Browse',
    listed: true,
    load: async () => (await import('../pages/browse/page.tsx')).BrowsePage,
  },
  {
    name: 'resource',
    title: 'Resource',
    listed: false,
    load: async () => (await import('../pages/resource/page.tsx')).ResourcePage,
  },
  {
    name: 'ldp',
    title: 'Containers',
    listed: true,
    load: async () => (await import('../pages/ldp/page.tsx')).LdpPage,
  },
  {
    name: 'sparql',
    title: 'SPARQL',
    listed: true,
    load: async () => (await import('../pages/sparql/page.tsx')).SparqlPage,
  },
  {
    name: 'load',
    title: 'Load',
    listed: true,
    load: async () => (await import('../pages/load/page.tsx')).LoadPage,
  },
  {
    name: 'tasks',
    title: 'Tasks',
    listed: true,
    load: async () => (await import('../pages/tasks/page.tsx')).TasksPage,
  },
  {
    name: 'server',
    title: 'Server',
    listed: true,
    load: async () => (await import('../pages/server/page.tsx')).ServerPage,
  },
];

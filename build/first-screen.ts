/**
 * What the first screen needs, as one file that the browser asks for with the page itself. Left to the bundler it is
 * some hundred files that are found in three steps, the next only when the one before has run, six at a time.
 */
import type { IndexHtmlTransformContext, Plugin, Rolldown } from 'vite';

/** The script of the page: it tells zod how to work before anything else is evaluated, so it stays by itself. */
const entry = 'renderer/app/main.ts';

/** The frame, the screen that a start without an address shows, and what the frame loads by itself. */
const wanted = [
  'renderer/app/start.tsx',
  'renderer/features/computers/ComputersScreen.tsx',
  'renderer/commands/Drawer.tsx',
];

const name = 'first-screen';

type ModuleGraph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** For `codeSplitting.groups` of the page's build: a group of all that `wanted` imports, without what `entry` does. */
export function firstScreenGroup(root: string): Rolldown.CodeSplittingGroup {
  let members: ReadonlySet<string> | null = null;
  return {
    debugName: name,
    // Else what `entry` imports would come along, and it would wait for all of this.
    includeDependenciesRecursively: false,
    name: (id, graph) => {
      members ??= membersOf(root, graph);
      return members.has(id) ? name : null;
    },
  };
}

function membersOf(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const before = importedBy([`${root}${entry}`], graph);
  return importedBy(
    wanted.map((path) => `${root}${path}`),
    graph,
  ).difference(before);
}

/** These modules and all that they import, without what is loaded later. */
function importedBy(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set(ids);
  for (const id of found) {
    const module = graph.getModuleInfo(id);
    if (module === null && ids.includes(id)) throw new Error(`The first screen is made of ${id}, which is not there.`);
    for (const next of module?.importedIds ?? []) found.add(next);
  }
  return found;
}

/** Names its files in `index.html`, so that they come beside the script that asks for them and not after it. */
export function preloadFirstScreen(): Plugin {
  return {
    name: 'preload-first-screen',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => tagsFor(bundle).filter(({ attrs }) => !html.includes(attrs.href)),
    },
  };
}

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

function tagsFor(bundle: Bundle) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const main = chunks.find((chunk) => chunk.name === name);
  if (main === undefined) throw new Error('The build made no chunk of the first screen.');
  // A module that is loaded by its own name has a file that only hands it out.
  const doors = chunks.filter(({ facadeModuleId }) => wanted.some((path) => facadeModuleId?.endsWith(`/${path}`)));
  const scripts = [main.fileName, ...main.imports, ...doors.map(({ fileName }) => fileName)];
  return [
    ...scripts.map((path) => linkTo(path, 'modulepreload')),
    ...[...(main.viteMetadata?.importedCss ?? [])].map((path) => linkTo(path, 'stylesheet')),
  ];
}

function linkTo(path: string, rel: 'modulepreload' | 'stylesheet') {
  return { tag: 'link', attrs: { rel, href: `/${path}`, crossorigin: true }, injectTo: 'head' } as const;
}

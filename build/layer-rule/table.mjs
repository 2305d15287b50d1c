/**
 * Who may import whom: everything that is not listed is refused. The plugin beside this file enforces it, and
 * `node build/layer-rule/print.mjs` prints it as the table of ARCHITECTURE.md.
 *
 * `path` is a folder, or a single file; the longest match decides. `imports` names layers (`core/*`: every layer whose
 * name begins so). `packages` names npm packages; `node:*` is every module of Node.
 */
const node = 'node:*';
const page = ['shared', 'renderer/ui', 'renderer/state', 'renderer/api'];
const pagePackages = [
  'react',
  'react-aria-components',
  'lucide-react',
  '@tanstack/react-query',
  '@tanstack/react-router',
];

export const layers = [
  { name: 'shared', path: 'shared', imports: ['shared', 'shared/model'], packages: ['zod', '@orpc/contract'] },
  { name: 'shared/model', path: 'shared/model', imports: ['shared', 'shared/model'], packages: ['zod'] },

  {
    name: 'core',
    path: 'electron/core',
    imports: ['shared', 'shared/model', 'core', 'core/*'],
    packages: [node, 'zod', 'pino', '@orpc/server'],
  },
  { name: 'core/ports', path: 'electron/core/ports.ts', imports: [], packages: [] },
  {
    name: 'core/api',
    path: 'electron/core/api',
    imports: ['shared', 'shared/model', 'core', 'core/*'],
    packages: [node, 'zod', 'axios'],
  },
  {
    name: 'core/api/testing',
    path: 'electron/core/api/testing',
    imports: ['shared', 'shared/model', 'core', 'core/*'],
    packages: [node, '@peculiar/x509', 'reflect-metadata'],
  },
  ...[
    'audit',
    'commands',
    'connections',
    'directory',
    'events',
    'guards',
    'handover',
    'incidents',
    'inventory',
    'isolation',
    'labels',
    'managed',
    'jobs',
    'overview',
    'search',
    'settings',
    'trajectory',
    'views',
    'undo',
  ].map((folder) => ({
    name: `core/${folder}`,
    path: `electron/core/${folder}`,
    imports: ['shared', 'shared/model', 'core', 'core/*'],
    packages: [node, 'zod'],
  })),
  {
    name: 'core/list-editor',
    path: 'electron/core/list-editor',
    imports: ['shared', 'shared/model', 'core', 'core/*'],
    packages: [node, 'zod', 'csv-parse'],
  },
  {
    name: 'core/instances',
    path: 'electron/core/instances',
    imports: ['shared', 'shared/model', 'core', 'core/*'],
    packages: [node, 'zod', 'yaml'],
  },
  {
    name: 'core/forwarder',
    path: 'electron/core/forwarder',
    imports: ['shared', 'shared/model', 'core/ports', 'core/forwarder', 'core/forwarder/tls'],
    packages: [node],
  },
  {
    name: 'core/forwarder/tls',
    path: 'electron/core/forwarder/tls',
    imports: ['shared', 'shared/model', 'core/ports', 'core/forwarder', 'core/forwarder/tls'],
    packages: [node, '@peculiar/x509', '@peculiar/asn1-x509', '@peculiar/asn1-schema', 'reflect-metadata'],
  },
  {
    name: 'core/store',
    path: 'electron/core/store',
    imports: ['shared', 'shared/model', 'core/ports', 'core/store'],
    packages: [node, 'zod'],
  },

  {
    name: 'sandbox',
    path: 'electron/sandbox',
    imports: ['shared/model', 'sandbox'],
    packages: [node, 'zod'],
  },

  {
    name: 'headless',
    path: 'electron/headless',
    imports: ['shared', 'shared/model', 'core', 'core/*', 'headless'],
    packages: [node, 'zod', 'ws', '@orpc/server'],
  },
  {
    name: 'desktop',
    path: 'electron/desktop',
    imports: ['shared', 'shared/model', 'core', 'core/*', 'desktop'],
    packages: [node, 'zod', 'electron', '@orpc/server'],
  },
  {
    name: 'headless/secrets',
    path: 'electron/headless/secrets.ts',
    imports: ['shared', 'shared/model', 'core', 'core/*', 'headless'],
    packages: [node, 'zod'],
  },
  {
    name: 'cli',
    path: 'electron/cli',
    imports: ['shared', 'shared/model', 'core', 'core/*', 'cli', 'sandbox', 'headless/secrets'],
    packages: [node, 'zod'],
  },

  {
    name: 'entry headless',
    path: 'electron/headless.ts',
    imports: ['shared', 'core', 'core/*', 'headless', 'headless/secrets', 'sandbox'],
    packages: [node],
  },
  {
    name: 'entry main',
    path: 'electron/main.ts',
    imports: ['shared', 'core', 'core/*', 'desktop', 'sandbox'],
    packages: [node, 'electron'],
  },
  { name: 'entry preload', path: 'electron/preload.ts', imports: ['desktop'], packages: ['electron'] },
  {
    name: 'entry cli',
    path: 'electron/cli.ts',
    imports: ['shared', 'shared/model', 'core', 'core/*', 'cli', 'headless/secrets', 'sandbox'],
    packages: [node],
  },

  {
    name: 'renderer/ui',
    path: 'renderer/ui',
    imports: ['shared', 'shared/model', 'renderer/ui'],
    packages: [
      'react',
      'react-dom',
      'react-aria-components',
      'lucide-react',
      '@tanstack/react-table',
      '@tanstack/react-virtual',
      'echarts',
    ],
  },
  {
    name: 'renderer/state',
    path: 'renderer/state',
    imports: ['shared', 'shared/model', 'renderer/state'],
    packages: ['react', 'zustand'],
  },
  {
    name: 'renderer/api',
    path: 'renderer/api',
    imports: ['shared', 'shared/model', 'renderer/api'],
    packages: ['react', '@orpc/client', '@orpc/contract', '@orpc/tanstack-query', '@tanstack/react-query'],
  },
  {
    name: 'renderer/commands',
    path: 'renderer/commands',
    imports: [...page, 'shared/model', 'renderer/commands'],
    packages: pagePackages,
  },
  {
    name: 'renderer/features',
    path: 'renderer/features',
    imports: [
      ...page,
      'shared/model',
      'renderer/commands',
      'same folder',
      'renderer/features/file-lists/editor/hashing',
    ],
    packages: [...pagePackages, 'zod', '@tanstack/react-table', '@tanstack/react-virtual'],
  },
  {
    name: 'renderer/features/file-lists/editor/hashing',
    path: 'renderer/features/file-lists/editor/hashing',
    imports: ['renderer/ui', 'renderer/features/file-lists/editor/hashing'],
    packages: ['@noble/hashes'],
  },
  {
    name: 'renderer/app',
    path: 'renderer/app',
    imports: [...page, 'shared/model', 'renderer/commands', 'renderer/features', 'renderer/app'],
    packages: [...pagePackages, 'react-dom', 'zod', 'zustand'],
  },

  {
    name: 'e2e',
    path: 'e2e',
    imports: ['shared', 'shared/model', 'sandbox', 'e2e', 'build'],
    packages: [node, '@playwright/test', 'axe-core'],
  },
  {
    name: 'build',
    path: 'build',
    imports: ['build', 'shared', 'shared/model', 'core', 'core/*', 'sandbox'],
    packages: [node, 'vite', 'electron-builder', '@electron/fuses', '@playwright/test', 'js-tokens', 'zod'],
  },
  {
    name: 'build/bench/peers',
    path: 'build/bench/peers',
    imports: ['build/bench/peers'],
    packages: [node, '@fastify/http-proxy', 'fastify', 'http-proxy-3'],
  },
  {
    name: 'configuration',
    path: '',
    imports: ['configuration', 'build'],
    packages: [node, 'vite', 'vitest', '@vitejs/plugin-react'],
  },
];

/** What a test may use besides what its folder may: real neighbours over real borders. */
export const tests = {
  imports: ['shared', 'shared/model', 'core', 'core/*', 'sandbox', 'headless', 'headless/secrets'],
  packages: [node, 'vitest', 'fast-check', 'ws', '@orpc/client', '@orpc/server', '@orpc/contract'],
};

/** One door per privilege: names and packages that a single place may use. `in` holds files and folders. */
export const privileges = [
  { name: 'ipcMain', kind: 'import', in: ['electron/desktop/port.ts'] },
  { name: 'BrowserWindow', kind: 'new', in: ['electron/desktop/window.ts'] },
  { name: 'shell', kind: 'import', from: 'electron', in: ['electron/desktop/shell.ts'] },
  { name: 'safeStorage', kind: 'import', from: 'electron', in: ['electron/desktop/secrets.ts'] },
  { name: 'ipcRenderer', kind: 'import', in: ['electron/preload.ts'] },
  { name: 'contextBridge', kind: 'import', in: ['electron/preload.ts'] },
  { name: 'webUtils', kind: 'import', in: ['electron/preload.ts'] },
  { name: 'node:sqlite', kind: 'package', in: ['electron/core/store'] },
  { name: 'axios', kind: 'package', in: ['electron/core/api/client.ts'] },
  { name: 'pino', kind: 'package', in: ['electron/core/log.ts'] },
  {
    name: 'process.env',
    kind: 'member',
    in: ['electron/headless.ts', 'electron/main.ts', 'electron/cli.ts', 'build', 'e2e'],
  },
  { name: 'issueWriteToken', kind: 'import', in: ['electron/core/commands/runner.ts'] },
  { name: 'dangerouslySetInnerHTML', kind: 'attribute', in: [] },
  { name: 'innerHTML', kind: 'property', in: [] },
  { name: 'outerHTML', kind: 'property', in: [] },
  { name: 'insertAdjacentHTML', kind: 'property', in: [] },
];

/** Short names of `package.json`, section `imports`. */
export const aliases = {
  '#shared/': 'shared/',
  '#core/': 'electron/core/',
  '#sandbox/': 'electron/sandbox/',
  '#renderer/': 'renderer/',
};

/** Screens that can be gone to, for menus and links outside of the page. A test compares them with the palette. */
export const screens = [
  { path: '/overview', title: 'Overview' },
  { path: '/computers', title: 'Computers' },
  { path: '/groups', title: 'Groups' },
  { path: '/policies', title: 'Policies' },
  { path: '/file-lists', title: 'File lists' },
  { path: '/events', title: 'Events' },
  { path: '/search', title: 'Search' },
  { path: '/jobs', title: 'Jobs' },
  { path: '/command-line', title: 'Command line' },
  { path: '/log', title: 'Incident log' },
  { path: '/log/handover', title: 'Shift handover' },
  { path: '/unlock-codes', title: 'Unlock codes' },
  { path: '/instances', title: 'Instances' },
  { path: '/instances/parameters', title: 'Server parameters' },
  { path: '/connections', title: 'Connections' },
  { path: '/settings', title: 'Settings' },
] as const;

import type { Implementer, RouterParts } from './parts.ts';

const mediaTypes = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  md: 'text/markdown',
  html: 'text/html',
} as const;

export function logProcedures(os: Implementer, parts: RouterParts) {
  const { log } = parts.profile;
  const routes = os.log;
  return {
    query: routes.query.handler(({ input }) => log.query(input)),
    note: routes.note.handler(({ input }) =>
      log.append({
        kind: 'note',
        surface: 'screen',
        message: input.text,
        about: input.about,
        target: input.target ?? null,
        incident: input.incident,
      }),
    ),
    export: routes.export.handler(({ input }) => ({
      name: `cordon-log-${new Date(parts.ports.clock.now()).toISOString().slice(0, 10)}.${input.format}`,
      mediaType: mediaTypes[input.format],
      text: [...log.export(input.query, input.format)].join(''),
    })),
    verify: routes.verify.handler(({ signal }) => log.verify(signal)),
    incidents: routes.incidents.handler(() => log.incidents()),
    openIncident: routes.openIncident.handler(({ input }) => log.openIncident(input, 'screen')),
    setIncidentOpen: routes.setIncidentOpen.handler(({ input }) => log.setIncidentOpen(input.id, input.open, 'screen')),
  };
}

import { getVersion } from '#core/service/api/endpoints/service.ts';
import { recordOutcome } from './outcome.ts';
import type { Handlers } from './types.ts';

export const serviceHandlers: Pick<Handlers, 'svc_get_version'> = {
  async svc_get_version(_args, context) {
    const answer = await getVersion(context.client, context.call);
    return recordOutcome(answer, `The service's API version is ${answer.data.version}.`);
  },
};

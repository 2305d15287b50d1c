import type { IncomingMessage } from 'node:http';

import { problem, type Answer } from './answer.ts';
import type { Budget } from './budget.ts';
import type { Call } from './call.ts';
import type { RequestLog } from './server.ts';
import type { Weather } from './weather.ts';
import type { World } from './world.ts';

export interface ControlDeps {
  readonly token: string;
  readonly world: World;
  readonly weather: Weather;
  readonly budget: Budget;
  readonly log: RequestLog;
}

export function createControl(_deps: ControlDeps): (request: IncomingMessage, call: Call) => Answer {
  return (_request, call) => problem(404, call.self, 'Not yet');
}

/** The thread of the forwarding server; an entry of its own, which `forwarder-thread.ts` starts. */
import { parentPort, type MessagePort } from 'node:worker_threads';

import { hostForwarder } from './forwarder-host.ts';
import type { FromForwarder, ToForwarder } from './forwarder-messages.ts';

function start(port: MessagePort): void {
	const host = hostForwarder((message: FromForwarder) => {
		port.postMessage(message);
		if (message.kind === 'closed') port.close();
	});
	port.on('message', (message: ToForwarder) => host.take(message));
}

if (parentPort !== null) start(parentPort);

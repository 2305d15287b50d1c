import {createApiClient} from '#core/service/api/client.ts'
import {openProfile} from '#core/app/profile.ts'
import {systemClock, systemRandom} from '#core/base/system.ts'
import {memorySecrets} from '#core/base/testing/ports.ts'
import {createRunner} from '../runner.ts'

/** The profile in `folder` as a command line has it, and a runner on it. */
export function cliProfile(folder: string, secrets = memorySecrets()) {
	const profile = openProfile(
		{
			host: 'cli',
			profile: folder,
			operator: 'kim',
			secrets,
			clock: systemClock,
			random: systemRandom,
			proxyEnvironment: {},
			notify: () => undefined,
		},
		{createClient: createApiClient, userAgent: 'Cordon/test'},
	)
	const {connections, log, locks, guards, escrow} = profile
	return {profile, runner: createRunner({clock: systemClock, connections, log, locks, guards, escrow})}
}

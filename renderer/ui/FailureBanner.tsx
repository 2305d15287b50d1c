import type {CordonError, ErrorReport} from '#shared/contract/errors.ts'

import {Banner, type BannerProps} from './Banner.tsx'
import {useTelling} from './Telling.tsx'

interface FailureBannerProps extends BannerProps {
	/** What the banner tells of. */
	readonly error: CordonError | ErrorReport | null
}

/** Above rows of an earlier reading: why there is no newer one. The frame does not tell the same beside it. */
export function FailureBanner({error, tone = 'warning', action, children}: FailureBannerProps) {
	const remedy = useTelling(error)
	return (
		<Banner
			tone={tone}
			action={
				<>
					{remedy?.('small')}
					{action}
				</>
			}
		>
			{children}
		</Banner>
	)
}

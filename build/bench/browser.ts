import {chromium, type Browser} from '@playwright/test'

export async function launchChromium(): Promise<Browser> {
	const executablePath = process.env['CORDON_CHROMIUM'] ?? ''
	const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
	return await chromium.launch({...(executablePath === '' ? {} : {executablePath}), args})
}

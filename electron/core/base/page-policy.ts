/**
 * What the page may do, the same in both hosts. Scripts and styles come from our own files only; nothing is inline but
 * one style element of React Aria, which carries the nonce of this answer.
 */

/** Stands in `renderer/index.html` where each answer gets a nonce of its own. */
export const noncePlaceholder = '__CSP_NONCE__'

interface PagePolicyOptions {
	/** Fresh for each answer, base64. */
	nonce: string
	/** Where the wire is, besides the page's own origin; empty when it is a MessagePort. */
	connect: readonly string[]
}

export function contentSecurityPolicy(options: PagePolicyOptions) {
	return [
		"default-src 'none'",
		"script-src 'self'",
		`style-src 'self' 'nonce-${options.nonce}'`,
		"img-src 'self' data: blob:",
		"font-src 'self'",
		['connect-src', "'self'", ...options.connect].join(' '),
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-src 'none'",
		"frame-ancestors 'none'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		// No code of ours makes HTML out of text. The one policy starts workers from our own files (`renderer/ui/own-script.ts`).
		'trusted-types cordon-worker'
	].join('; ')
}

/** Sent with every answer of both hosts, whatever it is. */
export const commonHeaders: Readonly<Record<string, string>> = {
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'Referrer-Policy': 'no-referrer',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Permissions-Policy':
		'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(self), geolocation=(), ' +
		'gyroscope=(), hid=(), identity-credentials-get=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), ' +
		'midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), ' +
		'xr-spatial-tracking=(), clipboard-read=(self), clipboard-write=(self)'
}

/**
 * Beside those, over HTTP. Never on a scheme of the window's own: Electron 42 and 43 end the whole program when such a page
 * asks for an agent cluster of its own; and for an opener's policy Chromium throws the window's process away at the first
 * answer and starts another one (100 ms), where nothing can open the page or be opened by it.
 */
export const httpHeaders: Readonly<Record<string, string>> = {
	...commonHeaders,
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Origin-Agent-Cluster': '?1'
}

/** Built files carry a hash in their name; everything else is asked for again each time. */
export function cacheControl(path: string): string {
	return path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-cache'
}

/**
 * A cookie of an instance belongs to the instance: below its prefix, to this host alone, over TLS only. A name that begins
 * with `__Host-` demands the path `/`, so browsers will not keep such a cookie: it would reach every other instance.
 */
export function scopeCookie(cookie: string, prefix: string): string {
  const [pair = '', ...attributes] = cookie.split(';');
  // A name may hold marks that end an attribute.
  const root = prefix.replaceAll(';', '%3B').replaceAll(',', '%2C');
  const kept: string[] = [];
  let path = '/';
  let isSecure = false;
  for (const attribute of attributes) {
    const [name = '', ...rest] = attribute.split('=');
    const lower = name.trim().toLowerCase();
    if (lower === 'domain') continue;
    if (lower === 'path') path = rest.join('=').trim();
    else {
      isSecure ||= lower === 'secure';
      kept.push(attribute);
    }
  }
  const scoped = path === root || path.startsWith(`${root}/`) ? path : root + (path.startsWith('/') ? path : '/');
  return [pair, ...kept, ` Path=${scoped}`, ...(isSecure ? [] : [' Secure'])].join(';');
}

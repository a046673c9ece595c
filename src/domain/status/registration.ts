/** A registration as it is kept, compared and shown: `G-XWBA` and `gxwba` are `GXWBA`. */
export const bareRegistration = (registration: string): string => registration.replaceAll('-', '').toUpperCase();

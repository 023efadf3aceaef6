/**
 * Recognises third-party shop programs by their requests and stores the result. A hook of the hosted API; its
 * failures never fail the request.
 */
import type { FastifyRequest } from 'fastify';
import { callerAdvice, recordCaller } from '../../../src/actions/access/authenticate-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import type { Log } from '../../../src/base/io/log.js';
import { CALL_SIGNS, type CallSign } from '../../../src/domain/plugins/plugin-table.js';
import { withSigns } from '../../../src/domain/plugins/plugins.js';
import { callerBrand, listLegacyNames } from './auth.js';

function signsOf(request: FastifyRequest): readonly CallSign[] {
  const names: readonly string[] = listLegacyNames(request).map((name) =>
    name === 'api_key' ? name : name.toUpperCase(),
  );
  const path = request.routeOptions.url ?? '';
  const hasFullname = [request.body, request.query].some(
    (fields) => typeof fields === 'object' && fields !== null && 'fullname' in fields,
  );
  return CALL_SIGNS.filter(
    (sign) => names.includes(sign) || path.endsWith(sign) || (sign === 'fullname' && hasFullname),
  );
}

/** @returns a `preHandler` hook, which runs after the gate. It writes once for each brand and sign. */
export function callerWatch(core: Core, log: Log) {
  return async (request: FastifyRequest): Promise<void> => {
    const signs = signsOf(request);
    if (signs.length === 0) return;
    const brand = callerBrand(request);
    const called_by = withSigns(brand.calledBy, signs);
    if (called_by === brand.calledBy) return;
    try {
      await recordCaller(core, brand, signs);
    } catch (error) {
      log.warn({ err: error, brand: brand.brandId }, 'who calls a brand could not be noted');
      return;
    }
    const advice = callerAdvice(brand.brandId, { ...brand, called_by });
    if (advice === null) return;
    log.warn(
      { brand: brand.brandId, remedy: advice.remedy },
      `a brand may be answered wrongly: ${advice.message}`,
    );
  };
}

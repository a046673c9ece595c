// Generated from the documents under spec/ by `make generate`; do not edit.
import type { CatalogProduct } from '../src/domain/lifecycle.ts';

export const catalog: readonly CatalogProduct[] = [
  {
    "product": "flight-info",
    "title": "Flight Info",
    "versions": [
      {
        "version": "v2",
        "aliases": [],
        "releasedOn": "2024-04-15",
        "operations": [
          {
            "operationId": "listFlightInstances",
            "method": "get",
            "path": "/flight-instances",
            "isPublic": false
          },
          {
            "operationId": "getFlightInstance",
            "method": "get",
            "path": "/flight-instances/{departureDate}/{scheduleInstanceKey}",
            "isPublic": false
          },
          {
            "operationId": "getFlightInfoHealth",
            "method": "get",
            "path": "/flights/health",
            "isPublic": true
          }
        ]
      }
    ]
  }
];

// Generated from the documents under spec/ by `make generate`; do not edit.
import type { CatalogProduct } from '../src/domain/lifecycle.ts';

export const catalog: readonly CatalogProduct[] = [
  {
    "product": "flight-info",
    "title": "Flight Info",
    "versions": [
      {
        "version": "v1",
        "aliases": [
          "1.0"
        ],
        "releasedOn": "2022-06-01",
        "deprecatedOn": "2024-04-15",
        "sunsetOn": "2025-04-14",
        "successor": "v2",
        "operations": [
          {
            "operationId": "listFlightInstances",
            "method": "get",
            "path": "/flight-instances",
            "isPublic": false
          },
          {
            "operationId": "getFlightInfoHealth",
            "method": "get",
            "path": "/flights/health",
            "isPublic": true
          }
        ]
      },
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

// Generated from the documents under spec/ by `make generate`; do not edit.
import type { CatalogProduct } from '../src/http/router/version-lifecycle.ts';

export const catalog: readonly CatalogProduct[] = [
  {
    "product": "connections",
    "title": "Connections",
    "versions": [
      {
        "version": "v1",
        "aliases": [],
        "releasedOn": "2024-04-15",
        "operations": [
          {
            "operationId": "listConnections",
            "method": "get",
            "path": "/flight-connections",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "explainConnection",
            "method": "get",
            "path": "/flight-connections/explain",
            "isPublic": false
          },
          {
            "operationId": "getConnectionsHealth",
            "method": "get",
            "path": "/flight-connections/health",
            "isPublic": true
          }
        ]
      }
    ]
  },
  {
    "product": "flight-info",
    "title": "Flight Info",
    "versions": [
      {
        "version": "v1",
        "aliases": [
          "1.0",
          "Preview"
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
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "getFlightInstance",
            "method": "get",
            "path": "/flight-instances/{departureDate}/{scheduleInstanceKey}",
            "isPublic": false,
            "isConditional": true
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
  },
  {
    "product": "flight-info-alerts",
    "title": "Flight Info Alerts",
    "versions": [
      {
        "version": "v1",
        "aliases": [],
        "releasedOn": "2022-09-01",
        "operations": [
          {
            "operationId": "createProfile",
            "method": "post",
            "path": "/flight-info-alerts/profile",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "getProfile",
            "method": "get",
            "path": "/flight-info-alerts/profile/{accountId}",
            "isPublic": false
          },
          {
            "operationId": "updateProfile",
            "method": "patch",
            "path": "/flight-info-alerts/profile/{accountId}",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "deleteProfile",
            "method": "delete",
            "path": "/flight-info-alerts/profile/{accountId}",
            "isPublic": false
          },
          {
            "operationId": "getServiceStatus",
            "method": "get",
            "path": "/flight-info-alerts/status",
            "isPublic": false
          },
          {
            "operationId": "listAlerts",
            "method": "get",
            "path": "/flight-info-alerts/alerts",
            "isPublic": false
          },
          {
            "operationId": "createAlert",
            "method": "post",
            "path": "/flight-info-alerts/alerts",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "updateAlert",
            "method": "patch",
            "path": "/flight-info-alerts/alerts",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "getAlert",
            "method": "get",
            "path": "/flight-info-alerts/alerts/{alertId}",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "deleteAlert",
            "method": "delete",
            "path": "/flight-info-alerts/alerts/{alertId}",
            "isPublic": false
          },
          {
            "operationId": "previewAlert",
            "method": "post",
            "path": "/flight-info-alerts/alerts/preview",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "listEvents",
            "method": "get",
            "path": "/flight-info-alerts/events",
            "isPublic": false,
            "mediaTypes": [
              "text/event-stream"
            ]
          },
          {
            "operationId": "explainEvent",
            "method": "get",
            "path": "/flight-info-alerts/events/{eventId}/explain",
            "isPublic": false
          },
          {
            "operationId": "listPushEndpoints",
            "method": "get",
            "path": "/flight-info-alerts/endpoints",
            "isPublic": false
          },
          {
            "operationId": "createPushEndpoint",
            "method": "post",
            "path": "/flight-info-alerts/endpoints",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "getPushEndpoint",
            "method": "get",
            "path": "/flight-info-alerts/endpoints/{endpointId}",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "updatePushEndpoint",
            "method": "patch",
            "path": "/flight-info-alerts/endpoints/{endpointId}",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "deletePushEndpoint",
            "method": "delete",
            "path": "/flight-info-alerts/endpoints/{endpointId}",
            "isPublic": false
          },
          {
            "operationId": "getPushProgress",
            "method": "get",
            "path": "/flight-info-alerts/endpoints/{endpointId}/progress",
            "isPublic": false
          },
          {
            "operationId": "pingPushEndpoint",
            "method": "post",
            "path": "/flight-info-alerts/endpoints/{endpointId}/ping",
            "isPublic": false
          },
          {
            "operationId": "rotatePushSecret",
            "method": "post",
            "path": "/flight-info-alerts/endpoints/{endpointId}/secret/rotate",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "listDeliveries",
            "method": "get",
            "path": "/flight-info-alerts/endpoints/{endpointId}/deliveries",
            "isPublic": false
          },
          {
            "operationId": "listDeadLetters",
            "method": "get",
            "path": "/flight-info-alerts/endpoints/{endpointId}/dead-letters",
            "isPublic": false
          },
          {
            "operationId": "redeliver",
            "method": "post",
            "path": "/flight-info-alerts/endpoints/{endpointId}/redeliveries",
            "isPublic": false,
            "hasBody": true
          },
          {
            "operationId": "getAccessKey",
            "method": "get",
            "path": "/flight-info-alerts/accounts/{accountId}/accessKey",
            "isPublic": false
          },
          {
            "operationId": "getFlightInfoAlertsHealth",
            "method": "get",
            "path": "/flight-info-alerts/health",
            "isPublic": true
          }
        ]
      }
    ]
  },
  {
    "product": "master-data",
    "title": "Master Data",
    "versions": [
      {
        "version": "v1",
        "aliases": [],
        "releasedOn": "2024-04-15",
        "operations": [
          {
            "operationId": "listLocations",
            "method": "get",
            "path": "/locations",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "getLocation",
            "method": "get",
            "path": "/locations/{code}",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "listCarriers",
            "method": "get",
            "path": "/carriers",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "getCarrier",
            "method": "get",
            "path": "/carriers/{code}",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "listEquipment",
            "method": "get",
            "path": "/equipment",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "getEquipment",
            "method": "get",
            "path": "/equipment/{code}",
            "isPublic": false,
            "isConditional": true
          },
          {
            "operationId": "getMasterDataHealth",
            "method": "get",
            "path": "/master-data/health",
            "isPublic": true
          }
        ]
      }
    ]
  },
  {
    "product": "schedules",
    "title": "Schedules",
    "versions": [
      {
        "version": "v1",
        "aliases": [],
        "releasedOn": "2019-06-01",
        "operations": [
          {
            "operationId": "listSchedules",
            "method": "get",
            "path": "/flights",
            "isPublic": false
          },
          {
            "operationId": "getSchedule",
            "method": "get",
            "path": "/flights/{fingerprint}",
            "isPublic": false
          },
          {
            "operationId": "getSchedulesHealth",
            "method": "get",
            "path": "/schedules/health",
            "isPublic": true
          }
        ]
      }
    ]
  }
];

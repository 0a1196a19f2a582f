extension OpenAPIDocument {
    /// The paths after those of screens, and the end of the list.
    static let morePaths: StaticString = #"""
          "/api/v1/devices/{device}/screen.svg":{
           "get":{
            "operationId":"getPicture","summary":"What a device shows, as a picture.",
            "parameters":[
             {"$ref":"#/components/parameters/device"},
             {"name":"app","in":"query","description":"Only this app.","schema":{"type":"string"}},
             {
              "name":"at","in":"query","description":"What it showed after this line of the journal.",
              "schema":{"type":"integer","minimum":0}
             }
            ],
            "responses":{
             "200":{"description":"The picture.","content":{"image/svg+xml":{"schema":{"type":"string"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/journal":{
           "get":{
            "operationId":"getJournal","summary":"What happened on devices, oldest first.",
            "parameters":[
             {"name":"device","in":"query","description":"Only on this device.","schema":{"type":"string"}},
             {"name":"app","in":"query","description":"Only of this app.","schema":{"type":"string"}},
             {"name":"identifier","in":"query","description":"Only about this notification.","schema":{"type":"string"}},
             {
              "name":"after","in":"query","description":"Only lines with greater ids, the first of them.",
              "schema":{"type":"integer","minimum":0}
             },
             {
              "name":"before","in":"query","description":"Only lines with smaller ids.",
              "schema":{"type":"integer","minimum":0}
             },
             {
              "name":"limit","in":"query","description":"How many at most.",
              "schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}
             }
            ],
            "responses":{
             "200":{
              "description":"The lines.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["journal"],
                 "properties":{
                  "journal":{"type":"array","items":{"$ref":"#/components/schemas/JournalLine"}},"first":{"type":"integer"},
                  "last":{"type":"integer"},"kept":{"type":"integer"}
                 }
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/lint":{
           "post":{
            "operationId":"lint","summary":"What is wrong with a record, and how large its messages are.",
            "requestBody":{"required":true,"content":{"application/json":{"schema":{}},"text/plain":{"schema":{"type":"string"}}}},
            "responses":{
             "200":{
              "description":"Findings and sizes.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["findings","messages"],
                 "properties":{
                  "findings":{"type":"array","items":{"$ref":"#/components/schemas/LintFinding"}},
                  "messages":{"type":"array","items":{"$ref":"#/components/schemas/Size"}}
                 }
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/rules/{rule}":{
           "get":{
            "operationId":"getRule","summary":"What pushpipe explain says of a rule of the linter.",
            "parameters":[
             {"name":"rule","in":"path","description":"The rule's id.","required":true,"schema":{"type":"string"}}
            ],
            "responses":{
             "200":{"description":"The rule.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Rule"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/records":{
           "post":{
            "operationId":"addRecords",
            "summary":"Registers devices, makes events happen, delivers messages: the records of pushpipe run.",
            "requestBody":{
             "required":true,
             "content":{
              "application/json":{"schema":{"oneOf":[{"type":"object"},{"type":"array","minItems":1,"items":{}}]}},
              "application/x-ndjson":{"schema":{"type":"string"}}
             }
            },
            "responses":{
             "200":{
              "description":"The report lines of the records.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["report"],
                 "properties":{
                  "report":{"type":"array","items":{"$ref":"#/components/schemas/ReportLine"}},"report_cut":{"type":"boolean"}
                 }
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/reset":{
           "post":{
            "operationId":"reset","summary":"Forgets the messages, and the devices if asked to.",
            "requestBody":{
             "required":false,
             "content":{
              "application/json":{"schema":{"type":"object","properties":{"devices":{"type":"boolean","default":false}}}}
             }
            },
            "responses":{
             "200":{
              "description":"How many messages were forgotten, and whether devices were.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["messages","devices"],
                 "properties":{"messages":{"type":"integer"},"devices":{"type":"boolean"}}
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/faults":{
           "get":{
            "operationId":"getFaults","summary":"How often each fault rule was used, in their order.",
            "responses":{
             "200":{
              "description":"The rules, in their order.",
              "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Faults"}}}
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           },
           "put":{
            "operationId":"setFaults","summary":"Replaces the fault rules.",
            "requestBody":{
             "required":true,
             "content":{
              "application/json":{"schema":{"type":"array","maxItems":256,"items":{"type":"object"}}},
              "application/yaml":{"schema":{"type":"string"}}
             }
            },
            "responses":{
             "200":{
              "description":"The rules, in their order.",
              "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Faults"}}}
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           },
           "delete":{
            "operationId":"removeFaults","summary":"Removes the fault rules.",
            "responses":{
             "200":{
              "description":"The rules, in their order.",
              "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Faults"}}}
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/health":{
           "get":{
            "operationId":"health","summary":"Whether the gateway answers.","security":[{}],
            "responses":{
             "200":{"description":"It does.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Health"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/ready":{
           "get":{
            "operationId":"ready","summary":"Whether the gateway takes requests.","security":[{}],
            "responses":{
             "200":{"description":"It does.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Health"}}}},
             "503":{
              "description":"It is stopping.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Health"}}}
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/healthz":{
           "get":{
            "operationId":"liveness","summary":"The same as /api/v1/health.","security":[{}],
            "responses":{
             "200":{"description":"It does.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Health"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/metrics":{
           "get":{
            "operationId":"metrics","summary":"Counts and durations in Prometheus' text format.",
            "responses":{
             "200":{"description":"The metrics.","content":{"text/plain":{"schema":{"type":"string"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/openapi.json":{
           "get":{
            "operationId":"openAPI","summary":"This document.",
            "responses":{
             "200":{"description":"The document.","content":{"application/json":{"schema":{"type":"object"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          }
         },
         "components":
        """#
}

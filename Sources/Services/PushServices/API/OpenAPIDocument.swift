import PayloadJSON

/// The description of the API, as `/api/v1/openapi.json` has it: OpenAPI 3.1.
///
/// Every route of `APIRoute` is in it with its method and path, and nothing else; `OpenAPITests` compares them.
enum OpenAPIDocument {
    static func append(to out: inout ByteBuffer) {
        out.append(paths)
        out.append("\n")
        out.append(morePaths)
        out.append(components)
        out.append("\n}\n")
    }

    private static let paths: StaticString = #"""
        {
         "openapi":"3.1.0",
         "info":{
          "title":"pushpipe serve","version":"1",
          "description":"What the gateway received and answered, and what the devices show."
         },
         "security":[{},{"bearer":[]},{"key":[]}],
         "paths":{
          "/api/v1/status":{
           "get":{
            "operationId":"status","summary":"Which pushpipe answers, and what it keeps.",
            "responses":{
             "200":{"description":"The status.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Status"}}}},
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/messages":{
           "get":{
            "operationId":"listMessages","summary":"The messages, newest last, or wait for some.",
            "parameters":[
             {"$ref":"#/components/parameters/outcome"},{"$ref":"#/components/parameters/reason"},
             {"$ref":"#/components/parameters/device_filter"},{"$ref":"#/components/parameters/app"},
             {"$ref":"#/components/parameters/provider"},{"$ref":"#/components/parameters/text"},
             {
              "name":"after","in":"query","description":"Only messages with greater ids, from the oldest on.",
              "schema":{"type":"integer","minimum":0,"maximum":9007199254740991}
             },
             {
              "name":"before","in":"query","description":"Only messages with smaller ids, up to the newest.",
              "schema":{"type":"integer","minimum":0,"maximum":9007199254740991}
             },
             {
              "name":"limit","in":"query","description":"How many at most.",
              "schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}
             },
             {
              "name":"wait","in":"query",
              "description":"Answer when count messages match, at the latest after this time: 5s, 500ms.",
              "schema":{"type":"string","pattern":"^[0-9]{1,2}(ms|s)?$"}
             },
             {
              "name":"count","in":"query","description":"How many messages end the wait.",
              "schema":{"type":"integer","minimum":1,"maximum":1000,"default":1}
             }
            ],
            "responses":{
             "200":{
              "description":"The messages.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["messages","next"],
                 "properties":{
                  "messages":{"type":"array","items":{"$ref":"#/components/schemas/Message"}},
                  "complete":{"type":"boolean","description":"With wait: whether count messages matched."},
                  "previous":{"type":"string","description":"The path of the page before, if there is one."},
                  "next":{"type":"string","description":"The path of what comes after, also if there is nothing yet."}
                 }
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           },
           "delete":{
            "operationId":"removeMessages","summary":"Forgets the messages that match; all of them without a parameter.",
            "parameters":[
             {"$ref":"#/components/parameters/outcome"},{"$ref":"#/components/parameters/reason"},
             {"$ref":"#/components/parameters/device_filter"},{"$ref":"#/components/parameters/app"},
             {"$ref":"#/components/parameters/provider"},{"$ref":"#/components/parameters/text"}
            ],
            "responses":{
             "200":{
              "description":"How many messages were forgotten.",
              "content":{
               "application/json":{
                "schema":{"type":"object","required":["messages"],"properties":{"messages":{"type":"integer"}}}
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/messages/{id}":{
           "get":{
            "operationId":"getMessage","summary":"Everything about a message.",
            "parameters":[
             {
              "name":"id","in":"path","description":"The message's id.","required":true,
              "schema":{"type":"integer","minimum":0,"maximum":9007199254740991}
             }
            ],
            "responses":{
             "200":{
              "description":"The message.",
              "content":{"application/json":{"schema":{"$ref":"#/components/schemas/WholeMessage"}}}
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           },
           "delete":{
            "operationId":"removeMessage","summary":"Forgets a message.",
            "parameters":[
             {
              "name":"id","in":"path","description":"The message's id.","required":true,
              "schema":{"type":"integer","minimum":0,"maximum":9007199254740991}
             }
            ],
            "responses":{
             "200":{
              "description":"How many messages were forgotten.",
              "content":{
               "application/json":{
                "schema":{"type":"object","required":["messages"],"properties":{"messages":{"type":"integer"}}}
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/events":{
           "get":{
            "operationId":"streamEvents","summary":"The messages as they come, as server-sent events.",
            "parameters":[
             {"$ref":"#/components/parameters/outcome"},{"$ref":"#/components/parameters/reason"},
             {"$ref":"#/components/parameters/device_filter"},{"$ref":"#/components/parameters/app"},
             {"$ref":"#/components/parameters/provider"},{"$ref":"#/components/parameters/text"},
             {
              "name":"after","in":"query","description":"The id of the last message that the client has.",
              "schema":{"type":"integer","minimum":0}
             },
             {
              "name":"changes","in":"query","description":"Whether to send events change, too.",
              "schema":{"type":"boolean","default":false}
             },
             {
              "name":"Last-Event-ID","in":"header","description":"The same, as browsers send it.",
              "schema":{"type":"integer","minimum":0}
             }
            ],
            "responses":{
             "200":{
              "description":"Events message, with a message, lost, with the ids of those that are gone, and change.",
              "content":{"text/event-stream":{"schema":{"type":"string"}}}
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/devices":{
           "get":{
            "operationId":"listDevices","summary":"The apps on devices.",
            "parameters":[
             {
              "name":"search","in":"query","description":"Only devices and apps with this text in their names.",
              "schema":{"type":"string"}
             },
             {
              "name":"offset","in":"query","description":"How many to skip.",
              "schema":{"type":"integer","minimum":0,"maximum":2147483647,"default":0}
             },
             {
              "name":"limit","in":"query","description":"How many at most.",
              "schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}
             }
            ],
            "responses":{
             "200":{
              "description":"A page of them.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["devices"],
                 "properties":{"devices":{"type":"array","items":{"$ref":"#/components/schemas/App"}},"next":{"type":"string"}}
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/devices/{device}":{
           "get":{
            "operationId":"getDevice","summary":"The apps of a device, and what events have said of it.",
            "parameters":[{"$ref":"#/components/parameters/device"}],
            "responses":{
             "200":{
              "description":"The device.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["device","apps"],
                 "properties":{
                  "device":{"type":"string"},"apps":{"type":"array","items":{"$ref":"#/components/schemas/App"}},
                  "registered":{"type":"array","items":{"type":"object"}}
                 }
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
          "/api/v1/devices/{device}/screens":{
           "get":{
            "operationId":"getScreens","summary":"What a device shows.",
            "parameters":[
             {"$ref":"#/components/parameters/device"},
             {"name":"app","in":"query","description":"Only this app.","schema":{"type":"string"}},
             {
              "name":"limit","in":"query","description":"How many notifications at most.",
              "schema":{"type":"integer","minimum":1,"maximum":1000,"default":1000}
             },
             {
              "name":"before","in":"query","description":"Only older ones: from next of another answer.",
              "schema":{"type":"integer","minimum":0}
             },
             {
              "name":"at","in":"query","description":"What it showed after this line of the journal.",
              "schema":{"type":"integer","minimum":0}
             }
            ],
            "responses":{
             "200":{
              "description":"Notifications, newest first, and Live Activities on the lock screen.",
              "content":{
               "application/json":{
                "schema":{
                 "type":"object","required":["device","notifications","activities"],
                 "properties":{
                  "device":{"type":"string"},
                  "notifications":{"type":"array","items":{"$ref":"#/components/schemas/Notification"}},
                  "activities":{"type":"array","items":{"$ref":"#/components/schemas/Activity"}},
                  "next":{"type":"string"},"at":{"type":"integer"},"complete":{"type":"boolean"}
                 }
                }
               }
              }
             },
             "default":{"$ref":"#/components/responses/Error"}
            }
           }
          },
        """#
}

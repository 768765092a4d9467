import type { Example } from "#app/first-example";

export const loomBroadcastAdd: Example = {
  name: "loom-broadcast-add",
  title: "A LoomGraph: an addition that broadcasts",
  note: "A row of ten is added to every row of a cube: cut along i each device reads all of the row, cut along k only its part.",
  program: `{
  "id" : "4ee0cc81-499c-59c2-b330-82cf960c90b7",
  "nodes" : [ {
    "id" : "89872975-7727-5122-a09c-cc4eb3c1a630",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "c",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0, 0 ],
        "end" : [ 10, 10, 10 ]
      }
    }
  }, {
    "id" : "8e10b28a-32df-5776-8331-4b1e5adaca9f",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "a",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0, 0 ],
        "end" : [ 10, 10, 10 ]
      }
    }
  }, {
    "id" : "a7b39d30-9711-5889-9f80-dbed1265118f",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "b",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 1, 10 ]
      }
    }
  }, {
    "id" : "f06c7b61-4f33-52c3-bba9-d2b3443948d0",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Operation",
    "label" : "add",
    "body" : {
      "kernel" : "builtins:add",
      "params" : {
        "index_names" : [ "i", "j", "k" ]
      },
      "inputs" : {
        "a" : [ {
          "tensorId" : "8e10b28a-32df-5776-8331-4b1e5adaca9f",
          "range" : {
            "start" : [ 0, 0, 0 ],
            "end" : [ 10, 10, 10 ]
          }
        } ],
        "b" : [ {
          "tensorId" : "a7b39d30-9711-5889-9f80-dbed1265118f",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 1, 10 ]
          }
        } ]
      },
      "outputs" : {
        "c" : [ {
          "tensorId" : "89872975-7727-5122-a09c-cc4eb3c1a630",
          "range" : {
            "start" : [ 0, 0, 0 ],
            "end" : [ 10, 10, 10 ]
          }
        } ]
      }
    },
    "tags" : {
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFIndex" : {
        "start" : [ 0, 0, 0 ],
        "end" : [ 10, 10, 10 ]
      },
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFSignature" : {
        "inputs" : {
          "a" : [ {
            "affineMap" : {
              "projection" : [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ],
              "offset" : [ 0, 0, 0 ]
            },
            "shape" : [ 1, 1, 1 ]
          } ],
          "b" : [ {
            "affineMap" : {
              "projection" : [ [ 0, 0, 0 ], [ 0, 0, 1 ] ],
              "offset" : [ 0, 0 ]
            },
            "shape" : [ 1, 1 ]
          } ]
        },
        "outputs" : {
          "c" : [ {
            "affineMap" : {
              "projection" : [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ],
              "offset" : [ 0, 0, 0 ]
            },
            "shape" : [ 1, 1, 1 ]
          } ]
        }
      }
    }
  } ]
}
`,
  plan: `mesh = Mesh(dp=2, mp=5)
strategy("add", i="dp", k="mp")
place("b", mesh.layout("None", "None"))
`,
  shows: ["a", "b", "c"],
};

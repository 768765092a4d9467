import type { Example } from "#app/first-example";

export const loomSplitK: Example = {
  name: "loom-split-k",
  title: "A LoomGraph: a matmul split along its summed dim, in two stages",
  note: "Loom has no partial sums, so the summed dim becomes an index axis of blocks in a tensor of its own, and a second operation adds the blocks.",
  program: `{
  "id" : "865d5ace-06b8-5088-acb5-0a1f83047b53",
  "nodes" : [ {
    "id" : "923d5966-97b3-5d1a-84f4-dd8758772281",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Operation",
    "label" : "total",
    "body" : {
      "kernel" : "op:sum",
      "params" : {
        "index_names" : [ "m", "n" ]
      },
      "inputs" : {
        "part" : [ {
          "tensorId" : "c9493804-d617-583d-9cfb-f88bef907437",
          "range" : {
            "start" : [ 0, 0, 0 ],
            "end" : [ 8, 2, 4 ]
          }
        } ]
      },
      "outputs" : {
        "y" : [ {
          "tensorId" : "45251563-6535-5f6f-b4bd-98482d4f17a8",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 8, 4 ]
          }
        } ]
      }
    },
    "tags" : {
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFIndex" : {
        "start" : [ 0, 0 ],
        "end" : [ 8, 4 ]
      },
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFSignature" : {
        "inputs" : {
          "part" : [ {
            "affineMap" : {
              "projection" : [ [ 1, 0 ], [ 0, 0 ], [ 0, 1 ] ],
              "offset" : [ 0, 0, 0 ]
            },
            "shape" : [ 1, 2, 1 ]
          } ]
        },
        "outputs" : {
          "y" : [ {
            "affineMap" : {
              "projection" : [ [ 1, 0 ], [ 0, 1 ] ],
              "offset" : [ 0, 0 ]
            },
            "shape" : [ 1, 1 ]
          } ]
        }
      }
    }
  }, {
    "id" : "9d668c3c-7d58-580c-8184-fc0b682119dc",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "x",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 8, 12 ]
      }
    }
  }, {
    "id" : "bb34ebcc-74b1-5fc3-ac8c-8668da614c6b",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "w",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 12, 4 ]
      }
    }
  }, {
    "id" : "c9493804-d617-583d-9cfb-f88bef907437",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "part",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0, 0 ],
        "end" : [ 8, 2, 4 ]
      }
    }
  }, {
    "id" : "30e46754-17ed-515d-86db-646a268bbb79",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Operation",
    "label" : "partial",
    "body" : {
      "kernel" : "op:matmul",
      "params" : {
        "index_names" : [ "m", "block", "n" ]
      },
      "inputs" : {
        "w" : [ {
          "tensorId" : "bb34ebcc-74b1-5fc3-ac8c-8668da614c6b",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 12, 4 ]
          }
        } ],
        "x" : [ {
          "tensorId" : "9d668c3c-7d58-580c-8184-fc0b682119dc",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 8, 12 ]
          }
        } ]
      },
      "outputs" : {
        "part" : [ {
          "tensorId" : "c9493804-d617-583d-9cfb-f88bef907437",
          "range" : {
            "start" : [ 0, 0, 0 ],
            "end" : [ 8, 2, 4 ]
          }
        } ]
      }
    },
    "tags" : {
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFIndex" : {
        "start" : [ 0, 0, 0 ],
        "end" : [ 8, 2, 4 ]
      },
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFSignature" : {
        "inputs" : {
          "w" : [ {
            "affineMap" : {
              "projection" : [ [ 0, 6, 0 ], [ 0, 0, 1 ] ],
              "offset" : [ 0, 0 ]
            },
            "shape" : [ 6, 1 ]
          } ],
          "x" : [ {
            "affineMap" : {
              "projection" : [ [ 1, 0, 0 ], [ 0, 6, 0 ] ],
              "offset" : [ 0, 0 ]
            },
            "shape" : [ 1, 6 ]
          } ]
        },
        "outputs" : {
          "part" : [ {
            "affineMap" : {
              "projection" : [ [ 1, 0, 0 ], [ 0, 1, 0 ], [ 0, 0, 1 ] ],
              "offset" : [ 0, 0, 0 ]
            },
            "shape" : [ 1, 1, 1 ]
          } ]
        }
      }
    }
  }, {
    "id" : "45251563-6535-5f6f-b4bd-98482d4f17a8",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "y",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 8, 4 ]
      }
    }
  } ]
}
`,
  plan: `mesh = Mesh(k=2)
strategy("partial", block="k")
strategy("total", m="k")
`,
  shows: ["x", "part", "y"],
};

import type { Example } from "#app/first-example";

export const loomConvolution: Example = {
  name: "loom-convolution",
  title: "A LoomGraph: a convolution with stride and halo",
  note: "Windows of 3 by 3 cells, two apart: neighbouring shards share one row or column of the image, and each has to be given what it lacks.",
  program: `{
  "id" : "86c16b56-785a-564d-8611-782cdb8a96ff",
  "nodes" : [ {
    "id" : "c2f8d178-8486-507d-8770-02cb301cce67",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "filter",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 3, 3 ]
      }
    }
  }, {
    "id" : "c5f5fc8c-ac7a-5de1-80b7-498852c0e178",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "response",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 16, 16 ]
      }
    }
  }, {
    "id" : "488850b4-cb17-56ae-ad4f-39fd7badf26b",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Operation",
    "label" : "conv",
    "body" : {
      "kernel" : "op:conv2d",
      "params" : {
        "index_names" : [ "h", "w" ]
      },
      "inputs" : {
        "filter" : [ {
          "tensorId" : "c2f8d178-8486-507d-8770-02cb301cce67",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 3, 3 ]
          }
        } ],
        "image" : [ {
          "tensorId" : "5d05edee-d28a-51ec-b69f-bbc301db11e1",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 33, 33 ]
          }
        } ]
      },
      "outputs" : {
        "response" : [ {
          "tensorId" : "c5f5fc8c-ac7a-5de1-80b7-498852c0e178",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 16, 16 ]
          }
        } ]
      }
    },
    "tags" : {
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFIndex" : {
        "start" : [ 0, 0 ],
        "end" : [ 16, 16 ]
      },
      "http://tensortapestry.org/schemas/loom/2024-01/tag_types.jsd#/tags/IPFSignature" : {
        "inputs" : {
          "filter" : [ {
            "affineMap" : {
              "projection" : [ [ 0, 0 ], [ 0, 0 ] ],
              "offset" : [ 0, 0 ]
            },
            "shape" : [ 3, 3 ]
          } ],
          "image" : [ {
            "affineMap" : {
              "projection" : [ [ 2, 0 ], [ 0, 2 ] ],
              "offset" : [ 0, 0 ]
            },
            "shape" : [ 3, 3 ]
          } ]
        },
        "outputs" : {
          "response" : [ {
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
    "id" : "5d05edee-d28a-51ec-b69f-bbc301db11e1",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "image",
    "body" : {
      "dtype" : "float32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 34, 34 ]
      }
    }
  } ]
}
`,
  plan: `# Open the index space of conv and drag the window over it.
mesh = Mesh(rows=2, cols=2)
strategy("conv", h="rows", w="cols")
place("image", mesh.layout("rows", "cols"))
`,
  shows: ["image", "response"],
};

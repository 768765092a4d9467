import type { Example } from "#app/first-example";

export const loomExpression: Example = {
  name: "loom-expression",
  title: "A LoomGraph: two tensors added under a mask",
  note: "The example of Tapestry’s Operation Expression Dialect: one operation, four tensors, one of them starting at [200, 50].",
  program: `{
  "id" : "d3f46c69-6f2f-4dce-adf0-6f6fec9a34b8",
  "nodes" : [ {
    "id" : "16d1e319-f00b-4059-902f-f6fbb9112e5f",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "mask",
    "body" : {
      "dtype" : "boolean",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 10, 5 ]
      }
    }
  }, {
    "id" : "21a4f7f7-15f4-427b-8616-057ff251bf64",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "t1",
    "body" : {
      "dtype" : "int32",
      "range" : {
        "start" : [ 200, 50 ],
        "end" : [ 210, 55 ]
      }
    }
  }, {
    "id" : "4ace7920-10c2-4a66-9ac2-90ca0b3d0a40",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "t0",
    "body" : {
      "dtype" : "int32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 10, 5 ]
      }
    }
  }, {
    "id" : "4c7342c9-b9a3-4b59-8d59-b7c579076863",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Operation",
    "label" : "op0",
    "body" : {
      "kernel" : "builtins:add",
      "params" : {
        "mask_value" : 12
      },
      "inputs" : {
        "mask" : [ {
          "tensorId" : "16d1e319-f00b-4059-902f-f6fbb9112e5f",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 10, 5 ]
          }
        } ],
        "tensors" : [ {
          "tensorId" : "4ace7920-10c2-4a66-9ac2-90ca0b3d0a40",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 10, 5 ]
          }
        }, {
          "tensorId" : "21a4f7f7-15f4-427b-8616-057ff251bf64",
          "range" : {
            "start" : [ 200, 50 ],
            "end" : [ 210, 55 ]
          }
        } ]
      },
      "outputs" : {
        "result" : [ {
          "tensorId" : "5816b59d-b5a5-47ca-8916-8e26e0f119c4",
          "range" : {
            "start" : [ 0, 0 ],
            "end" : [ 10, 5 ]
          }
        } ]
      }
    }
  }, {
    "id" : "5816b59d-b5a5-47ca-8916-8e26e0f119c4",
    "type" : "http://tensortapestry.org/schemas/loom/2024-01/node_types.jsd#/nodes/Tensor",
    "label" : "z0",
    "body" : {
      "dtype" : "int32",
      "range" : {
        "start" : [ 0, 0 ],
        "end" : [ 10, 5 ]
      }
    }
  } ]
}
`,
  plan: `# Without a signature the operation is one piece: every device has all of it.
mesh = Mesh(dp=2)
dtypes = ["boolean", "int32", "float32"]
`,
  shows: ["t0", "t1", "z0"],
};

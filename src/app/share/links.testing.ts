import type { SharedDocument } from "./document.ts";
import type { LinkView } from "./view.ts";

/** Links made when their format was new; they must remain readable for ever. */
export const goldenLinks: readonly {
  readonly title: string;
  readonly document: SharedDocument;
  readonly view?: LinkView;
  readonly link: string;
}[] = [
  {
    title: "a short program",
    document: { text: "mesh = Mesh(dp=2, mp=2)\nx = Tensor((512, 1024))\n" },
    link: "#p=1.0.2c.1b139ac2.q1YqU7Iy1FEqSa0oUbJSyk0tzlCwVfAFUhopBbZGOgq5QFIzJq8CKBqSmlecX6ShYWoIFDc0MDLRBEoo1QIA",
  },
  {
    title: "MindSpore's two products",
    document: {
      text: "import mindspore.nn as nn\nfrom mindspore import ops\nfrom mindspore.parallel.auto_parallel import AutoParallel\n\nclass DenseMatMulNet(nn.Cell):\n    def __init__(self):\n        super(DenseMatMulNet, self).__init__()\n        self.matmul1 = ops.MatMul().shard(((4, 1), (1, 1)))\n        self.matmul2 = ops.MatMul().shard(((1, 1), (1, 4)))\n    def construct(self, x, w, v):\n        y = self.matmul1(x, w)\n        z = self.matmul2(y, v)\n        return z\n\nnet = DenseMatMulNet()\nparalell_net = AutoParallel(net, parallel_mode='semi_auto')\nshapes(x=(8, 4), w=(4, 6), v=(6, 8))\n",
      name: "rows, then columns",
    },
    view: { tensor: "y", device: 3, step: 1, panel: "tensor" },
    link: "#p=1.0.bq.2f37e218.dVLbasMwDP0V4Zc6YAwtpZRCHsb22rEPKBjTqDRgK8F2ehv798lp06Zl84ttnXNkHcnf4iBWUyUSnpJYidq3TUjga6oin1ATgY1AtKFdaPwDgBuzaeMrpFsbrHPotO1SY4bboHjj4NcttuG8W2djhA-kiGub1p37xCSJ9Ds6V6w2BLwq3IExNdXJGBnR7QYgr9i1GORzAgU9S99FxYjPiPY2-c5NocwO9FUnCx33NlRSyrmCaaFATvNe_C2e_SfuRVfx_C7OFrYNxRS6beo9KDgpOCo4jM2cOem4QJk5o_cvz_hMnnOCBx4wdYHgkjtLmJj90lnm9hPh7porYTwQySEFw8iMbyosJxF9bfIsJyxmky1GeSrlMtvj6srcrQWfDqVcKFhmx0IJsh75R4XmGBWkPRLbd52nKH5-AQ&s=t:y,d:3,n:1,p:tensor",
  },
  {
    title: "a Loom graph with its plan",
    document: {
      text: '{"id": "00000000-0000-4000-8000-000000000000", "nodes": []}',
      plan: 'mesh = Mesh(dp=2)\nstrategy("node", a="dp")\n',
    },
    link: "#p=1.0.3y.defbc9d5.q1YqU7Iy1FEqSa0oUbJSqo5RykyJUbJSiFEygAJdMGECIixgXBiIUdIBqszLT0ktBmmKjq1V0lEqyEnMAxqVm1qcoWCr4AukNFIKbI00Y_KKS4oSS1LTKzUgekC6E21jlFIKYpSAskq1AA",
  },
  {
    title: "a plan beside its baseline",
    document: { text: "y = gelu(x)  # größer, 大きい, 🎉\n", base: "y = relu(x)\n" },
    link: "#p=1.0.2s.a15b84f1.q1YqU7Iy1FEqSa0oUbJSqlSwVUhPzSnVqNBUUFBWSC86vO3w_NQiHYWnS5Y_bux93Niio_Bhfl9nTJ6SjlJSYnEqVE8RRA9QuBYA",
  },
  { title: "nothing", document: { text: "" }, link: "#p=1.0.c.55e90daf.q1YqU7IyrAUA" },
];
